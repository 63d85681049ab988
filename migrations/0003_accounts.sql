set local role tertulia_owner;

create table users (
  id uuid primary key,
  username text constraint users_username_key unique,
  display_name text not null,
  bio text,
  is_anonymous boolean not null default false,
  role text not null default 'MEMBER' check (role in ('MEMBER', 'MODERATOR', 'ADMIN')),
  avatar_id uuid,
  created_at timestamptz not null default now()
);

-- Row-level security hides rows, not columns: what only the account may see has a table of its own.
create table credentials (
  user_id uuid primary key references users on delete cascade,
  email text not null constraint credentials_email_key unique,
  email_verified_at timestamptz,
  pending_email text,
  password_hash text not null,
  failed_sign_ins integer not null default 0,
  last_failed_at timestamptz,
  updated_at timestamptz not null default now()
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  user_agent text,
  ip_address inet,
  -- What all refresh tokens of the session begin with; random, not the session's public id.
  family bytea not null unique,
  -- SHA-256 of the newest refresh token and of its parent.
  current_hash bytea not null,
  parent_hash bytea,
  rotated_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index on sessions (user_id, created_at);

-- Rows live for one lifetime of an access token; every replica reads them twice a second.
create table revoked_sessions (
  session_id uuid primary key,
  expires_at timestamptz not null
);

create table blocks (
  blocker_id uuid not null references users on delete cascade,
  blocked_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id)
);
create index on blocks (blocked_id);

-- Definer functions: a policy never queries its own table. In PL/pgSQL, whose plans are kept for the connection: a SQL
-- function that cannot be inlined is planned anew at each call.
create function viewer_is_member() returns boolean
  language plpgsql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
begin
  return exists (select from users where id = viewer_id() and not is_anonymous);
end
$$;

create function viewer_is_moderator() returns boolean
  language plpgsql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
begin
  return exists (select from users where id = viewer_id() and role in ('MODERATOR', 'ADMIN'));
end
$$;
grant execute on function viewer_is_member(), viewer_is_moderator() to tertulia_server, tertulia_worker;

alter table users enable row level security;
alter table users force row level security;
alter table credentials enable row level security;
alter table credentials force row level security;
alter table sessions enable row level security;
alter table sessions force row level security;
alter table revoked_sessions enable row level security;
alter table revoked_sessions force row level security;
alter table blocks enable row level security;
alter table blocks force row level security;

create policy everyone on users for select using (true);
create policy own on users for update to tertulia_server using (id = (select viewer_id()));
create policy accounts on users to tertulia_worker using (true);
create policy own on credentials for select to tertulia_server using (user_id = (select viewer_id()));
create policy accounts on credentials to tertulia_worker using (true);
create policy own on sessions for select to tertulia_server using (user_id = (select viewer_id()));
create policy accounts on sessions to tertulia_worker using (true);
create policy accounts on revoked_sessions to tertulia_worker using (true);
create policy own on blocks to tertulia_server using (blocker_id = (select viewer_id()));

grant select on users to tertulia_server, tertulia_worker, tertulia_trigger;
grant update (username, display_name, bio, avatar_id) on users to tertulia_server;
grant insert, update on users to tertulia_worker;
grant select (user_id, email, email_verified_at, pending_email) on credentials to tertulia_server;
grant select, insert, update on credentials to tertulia_worker;
grant select (id, user_id, created_at, last_used_at, user_agent, ip_address, rotated_at, revoked_at) on sessions to tertulia_server;
grant select, insert, update on sessions to tertulia_worker;
grant select, insert, delete on revoked_sessions to tertulia_worker;
grant select, delete on blocks to tertulia_server;
grant insert (blocker_id, blocked_id) on blocks to tertulia_server;

create function log_user_changes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    insert into change_log (type, object_id, after)
    select 'user', n.id, row(n.id, null, null, null, null)::change_state from changed_to n order by n.id;
  elsif tg_op = 'UPDATE' then
    insert into change_log (type, object_id, before, after)
    select 'user', n.id, row(n.id, null, null, null, null)::change_state, row(n.id, null, null, null, null)::change_state
    from changed_to n order by n.id;
  else
    insert into change_log (type, object_id, before)
    select 'user', o.id, row(o.id, null, null, null, null)::change_state from changed_from o order by o.id;
  end if;
  return null;
end
$$;
create trigger log_insert after insert on users
  referencing new table as changed_to for each statement execute function log_user_changes();
create trigger log_update after update on users
  referencing old table as changed_from new table as changed_to for each statement execute function log_user_changes();
create trigger log_delete after delete on users
  referencing old table as changed_from for each statement execute function log_user_changes();

reset role;
alter function log_user_changes() owner to tertulia_trigger;
