set local role tertulia_owner;

-- What the links in mails prove. The token is in the mail alone: only its SHA-256 is here.
create table one_time_tokens (
  hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('CONFIRM_EMAIL', 'RESET_PASSWORD')),
  -- The address that it was sent to: it proves that one alone.
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on one_time_tokens (user_id);
create index on one_time_tokens (expires_at);

-- A queue; what a mail says, its token included, is made when it is sent.
create table mails (
  id uuid primary key,
  kind text not null check (kind in (
    'CONFIRM_EMAIL', 'RESET_PASSWORD', 'PASSWORD_CHANGED', 'EMAIL_CHANGE_REQUESTED', 'EMAIL_CHANGED')),
  recipient text not null,
  -- Null where whoever has the address is meant, which is looked up when it is sent: asking takes the same time for all.
  user_id uuid references users on delete cascade,
  -- The other address, where it is about two.
  detail text,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  tries integer not null default 0
);
create index on mails (due_at);
create index on mails (user_id) where user_id is not null;

alter table one_time_tokens enable row level security;
alter table one_time_tokens force row level security;
alter table mails enable row level security;
alter table mails force row level security;
create policy accounts on one_time_tokens to tertulia_worker using (true);
create policy accounts on mails to tertulia_worker using (true);
grant select, insert, delete on one_time_tokens to tertulia_worker;
grant select, insert, update, delete on mails to tertulia_worker;

-- A mutation that changes credentials runs as the worker, its claim with it.
grant insert (account_id, mutation, client_mutation_id, input_hash, outcome) on idempotency to tertulia_worker;

-- The address is a part of what the account sees of itself.
create function log_credentials_update() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, before, after)
  values ('user', new.user_id, row(new.user_id, null, null, null, null)::change_state,
    row(new.user_id, null, null, null, null)::change_state);
  return null;
end
$$;
create trigger log_update after update of email, pending_email, email_verified_at on credentials for each row
  when ((new.email, new.pending_email, new.email_verified_at)
    is distinct from (old.email, old.pending_email, old.email_verified_at))
  execute function log_credentials_update();

reset role;
alter function log_credentials_update() owner to tertulia_trigger;
