set local role tertulia_owner;

-- What everybody may see of an account. Row-level security hides rows, not columns: what only the account may see is in
-- `credentials`.
create table users (
  id uuid primary key,
  username text constraint users_username_key unique,
  display_name text not null,
  bio text,
  is_anonymous boolean not null default false,
  role text not null default 'MEMBER' check (role in ('MEMBER', 'MODERATOR', 'ADMIN')),
  avatar_id uuid,
  created_at timestamptz not null default now(),
  -- The skeleton of display_name, computed by the server; null for names that the server made.
  name_skeleton text
);
create index users_of_name_skeleton on users (name_skeleton);

create table credentials (
  user_id uuid primary key references users on delete cascade,
  email text not null constraint credentials_email_key unique,
  email_verified_at timestamptz,
  pending_email text,
  password_hash text not null,
  failed_sign_ins integer not null default 0,
  last_failed_at timestamptz,
  updated_at timestamptz not null default now(),
  -- A device token names the generation that it is of: a new generation ends all device tokens of the account.
  device_generation integer not null default 0
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
create index on sessions (created_at);
create index on sessions (revoked_at) where revoked_at is not null;

-- A row lives for one lifetime of an access token; every replica reads the table twice a second.
create table revoked_sessions (
  session_id uuid primary key,
  expires_at timestamptz not null
);

-- Tries to sign in, by a hash of the login as it was typed: a login that no account has waits as long as one that
-- exists.
create table sign_in_attempts (
  login_hash bytea primary key,
  failures integer not null,
  last_at timestamptz not null
);
create index on sign_in_attempts (last_at);

-- What the links in mails prove. The token is in the mail alone: this table has its SHA-256.
create table one_time_tokens (
  hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('CONFIRM_EMAIL', 'RESET_PASSWORD')),
  -- The address that the token was sent to: it proves that address alone.
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on one_time_tokens (user_id);
create index on one_time_tokens (expires_at);

-- A queue. The text of a mail, its token included, is made when the mail is sent.
create table mails (
  id uuid primary key,
  kind text not null check (kind in (
    'CONFIRM_EMAIL', 'RESET_PASSWORD', 'PASSWORD_CHANGED', 'EMAIL_CHANGE_REQUESTED', 'EMAIL_CHANGED')),
  recipient text not null,
  -- Null where the mail is for whichever account has the address. That account is looked up when the mail is sent, so
  -- that asking takes the same time for every address.
  user_id uuid references users on delete cascade,
  -- The other address of a mail about two.
  detail text,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  tries integer not null default 0
);
create index on mails (due_at);
create index on mails (user_id) where user_id is not null;

-- Accounts that are hidden until all their rows are removed; this row goes with the account.
create table deleted_accounts (
  user_id uuid primary key references users on delete cascade,
  deleted_at timestamptz not null default now(),
  leased_until timestamptz not null default now()
);
create index on deleted_accounts (leased_until);

-- Anonymous accounts of which rows are left to move into another account; this row goes with the anonymous account.
create table account_merges (
  source_id uuid primary key references users on delete cascade,
  target_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  leased_until timestamptz not null default now(),
  check (source_id <> target_id)
);
create index on account_merges (target_id);
create index on account_merges (leased_until);

-- Accounts that may neither sign in nor write until an instant.
create table suspensions (
  user_id uuid primary key references users on delete cascade,
  until timestamptz not null,
  reason text not null check (reason in ('SPAM', 'HARASSMENT', 'VIOLENCE', 'SEXUAL_CONTENT', 'OTHER')),
  created_at timestamptz not null default date_trunc('milliseconds', now())
);

-- Policies call definer functions where they would query a table whose policy they are. These are in PL/pgSQL, which
-- keeps plans for the connection: a SQL function that cannot be inlined is planned anew at each call.
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

create function viewer_is_administrator() returns boolean
  language plpgsql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
begin
  return exists (select from users where id = viewer_id() and role = 'ADMIN');
end
$$;

-- Whether this account is hidden from the viewer, where app.hidden does not list those that are.
create function viewer_hides(person uuid) returns boolean
  language plpgsql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
begin
  return exists (select from blocks where blocker_id = viewer_id() and blocked_id = person)
    or exists (select from blocks where blocker_id = person and blocked_id = viewer_id())
      and not viewer_is_moderator();
end
$$;

create function is_being_deleted(account uuid) returns boolean
  language plpgsql stable parallel safe
  set search_path = public, pg_temp
as $$
begin
  return exists (select from deleted_accounts where user_id = account);
end
$$;

alter table users enable row level security, force row level security;
alter table credentials enable row level security, force row level security;
alter table sessions enable row level security, force row level security;
alter table revoked_sessions enable row level security, force row level security;
alter table sign_in_attempts enable row level security, force row level security;
alter table one_time_tokens enable row level security, force row level security;
alter table mails enable row level security, force row level security;
alter table deleted_accounts enable row level security, force row level security;
alter table account_merges enable row level security, force row level security;
alter table suspensions enable row level security, force row level security;

-- The restrictive policies hide what blocked people and deleted accounts own; other tables have the same two. What is
-- almost always so, that few accounts or none are hidden and that none is being removed, is found once a statement.
-- Otherwise each row costs a look-up, however many accounts there are. The look-up is a function, since PostgreSQL
-- prepares a sub-select for every execution, whether or not a row needs it. Messages of deleted accounts stay visible.
create policy everyone on users for select using (true);
create policy own on users for update to tertulia_server using (id = (select viewer_id()));
create policy not_hidden on users as restrictive for select to tertulia_server
  using (coalesce(id <> all ((select listed_hidden_ids())::uuid[]), not viewer_hides(id)));
create policy not_deleted on users as restrictive for select to tertulia_server
  using (not exists (select from deleted_accounts) or not is_being_deleted(id));
create policy accounts on users to tertulia_worker using (true);
create policy moderation on users for update to tertulia_trigger using (true) with check (true);

create policy own on credentials for select to tertulia_server using (user_id = (select viewer_id()));
create policy accounts on credentials to tertulia_worker using (true);

create policy own on sessions for select to tertulia_server using (user_id = (select viewer_id()));
create policy accounts on sessions to tertulia_worker using (true);

create policy accounts on revoked_sessions to tertulia_worker using (true);

create policy attempts on sign_in_attempts to tertulia_worker using (true);

create policy accounts on one_time_tokens to tertulia_worker using (true);

create policy accounts on mails to tertulia_worker using (true);

create policy everyone on deleted_accounts for select to tertulia_server using (true);
create policy accounts on deleted_accounts to tertulia_worker using (true);
create policy triggers on deleted_accounts for select to tertulia_trigger using (true);
create policy hides on deleted_accounts for select to tertulia_owner using (true);

create policy accounts on account_merges to tertulia_worker using (true);

create policy moderation on suspensions for select to tertulia_server using ((select viewer_is_moderator()));
create policy suspend on suspensions to tertulia_worker using (true);
create policy refuse on suspensions for select to tertulia_trigger using (true);

grant select on users to tertulia_server, tertulia_trigger;
grant update (username, display_name, bio, avatar_id, name_skeleton) on users to tertulia_server;
grant select, insert, update, delete on users to tertulia_worker;
grant update (display_name, bio, avatar_id) on users to tertulia_trigger;
grant select (user_id, email, email_verified_at, pending_email) on credentials to tertulia_server;
grant select, insert, update, delete on credentials to tertulia_worker;
grant select (id, user_id, created_at, last_used_at, user_agent, ip_address, rotated_at, revoked_at) on sessions to
  tertulia_server;
grant select, insert, update, delete on sessions to tertulia_worker;
grant select, insert, delete on revoked_sessions to tertulia_worker;
grant select, insert, update, delete on sign_in_attempts to tertulia_worker;
grant select, insert, delete on one_time_tokens to tertulia_worker;
grant select, insert, update, delete on mails to tertulia_worker;
grant select (user_id) on deleted_accounts to tertulia_server;
grant select, insert, update on deleted_accounts to tertulia_worker;
grant select (user_id) on deleted_accounts to tertulia_trigger;
grant select, insert, update on account_merges to tertulia_worker;
grant select on suspensions to tertulia_server, tertulia_trigger;
grant select, insert, update, delete on suspensions to tertulia_worker;

create function log_user_changes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    insert into change_log (type, object_id, after)
    select 'user', n.id, row(n.id, null, null, null, null, null)::change_state from changed_to n order by n.id;
  elsif tg_op = 'UPDATE' then
    insert into change_log (type, object_id, before, after)
    select 'user', n.id, row(n.id, null, null, null, null, null)::change_state,
      row(n.id, null, null, null, null, null)::change_state
    from changed_to n order by n.id;
  else
    insert into change_log (type, object_id, before)
    select 'user', o.id, row(o.id, null, null, null, null, null)::change_state from changed_from o order by o.id;
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

-- The address is a part of what an account sees of itself.
create function log_credentials_update() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, before, after)
  values ('user', new.user_id, row(new.user_id, null, null, null, null, null)::change_state,
    row(new.user_id, null, null, null, null, null)::change_state);
  return null;
end
$$;
create trigger log_update after update of email, pending_email, email_verified_at on credentials for each row
  when ((new.email, new.pending_email, new.email_verified_at)
    is distinct from (old.email, old.pending_email, old.email_verified_at))
  execute function log_credentials_update();

-- Deleting an account locks it first, and then the thoughts and events that count its rows. A statement that locks a
-- thought or an event before it inserts a row of the viewer's calls this first: the foreign key of that row would lock
-- the account only afterwards, and the two would wait for each other.
create function lock_viewer() returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform from users where id = viewer_id() for key share;
  return true;
end
$$;

-- Counts a try as a failure before passwords are compared, so that concurrent tries count, too; a success forgets them.
-- Returns the seconds to wait where the login may not be tried yet, otherwise 0: 1 after the failure numbered
-- `allowed`, then twice as long each time, up to 15 minutes.
create function begin_sign_in(login bytea, allowed integer) returns double precision
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  attempts sign_in_attempts;
  wait double precision;
begin
  insert into sign_in_attempts as a values (login, 0, clock_timestamp())
  on conflict (login_hash) do update set failures = a.failures returning * into attempts;
  if attempts.failures >= allowed then
    wait := least(900, 2 ^ least(attempts.failures - allowed, 20))
      - extract(epoch from clock_timestamp() - attempts.last_at);
    if wait > 0 then
      return wait;
    end if;
  end if;
  update sign_in_attempts set failures = failures + 1, last_at = clock_timestamp() where login_hash = login;
  return 0;
end
$$;

-- The skeleton (Unicode Technical Standard #39) of a username, which is of a-z, 0-9, _ and . only. The server's
-- NameSkeleton computes the same.
create function username_skeleton(username text) returns text
  language sql immutable parallel safe
  return translate(replace(username, 'm', 'rn'), '01', 'Ol');
create unique index users_username_skeleton_key on users (username_skeleton(username));

-- Whether another account has the username, or one that looks like it. Runs as tertulia_trigger: people who blocked the
-- viewer count, too, and the index is used, which policies would forbid for a function that may leak.
create function username_is_taken(name text, own_id uuid) returns boolean
  language sql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
  select exists (
    select from users where username_skeleton(username) = username_skeleton(name) and id is distinct from own_id)
$$;

-- Whether a name looks like another account's username or display name without being the same. Runs as tertulia_trigger
-- for the same reasons.
create function imitates_somebody(name text, skeleton text, own_id uuid) returns boolean
  language sql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
  select skeleton is not null and (
    exists (select from users where name_skeleton = skeleton and lower(display_name) <> lower(name)
      and id is distinct from own_id)
    or exists (select from users where username_skeleton(username) = skeleton and username <> lower(name)
      and id is distinct from own_id))
$$;

-- Refuses what a suspended account does, with the reason and the end of the suspension.
create function refuse_suspended(account uuid) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  present suspensions;
begin
  select * into present from suspensions where user_id = account and until > now();
  return not found or refuse('FORBIDDEN', 'SUSPENDED ' || present.reason || ' '
    || to_char(present.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end
$$;

-- Every table that requests write in an account's name has this as its trigger refuse_suspended. Rows that other
-- triggers write follow from an act that was allowed.
create function refuse_suspended_viewer() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  -- Almost always false, so that a write is spared the call.
  if exists (select from suspensions where user_id = viewer_id() and until > now()) then
    perform refuse_suspended(viewer_id());
  end if;
  return null;
end
$$;

create trigger refuse_suspended before insert or update or delete on users
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();
create trigger refuse_suspended before insert or update or delete on credentials
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();
create trigger refuse_suspended before insert or update or delete on deleted_accounts
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();
create trigger refuse_suspended before insert or update or delete on suspensions
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();

-- Suspending locks the account's row before it ends the sessions. A session that begins meanwhile either waits and is
-- refused, or was first and is ended.
create function refuse_session_of_suspended() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform from users where id = new.user_id for key share;
  perform refuse_suspended(new.user_id);
  return new;
end
$$;
create trigger refuse_suspended before insert on sessions
  for each row execute function refuse_session_of_suspended();

-- Whether the viewer may suspend this account and end its suspension: moderators may suspend members, administrators
-- everybody but themselves.
create function require_moderator_of(person uuid) returns boolean
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
declare
  own_role text := (select role from users where id = viewer_id());
  its_role text := (select role from users where id = person
    and not exists (select from deleted_accounts where user_id = person));
begin
  return case
    when own_role is distinct from 'MODERATOR' and own_role is distinct from 'ADMIN' then refuse('FORBIDDEN', 'ROLE')
    when its_role is null then refuse('NOT_FOUND')
    when person = viewer_id() then refuse('USER_ERRORS', 'NOT_ALLOWED userId')
    when its_role <> 'MEMBER' and own_role <> 'ADMIN' then refuse('FORBIDDEN', 'ROLE')
    else true end;
end
$$;

grant execute on function lock_viewer() to tertulia_server;
grant execute on function username_is_taken(text, uuid), imitates_somebody(text, text, uuid)
  to tertulia_server, tertulia_worker;
grant execute on function viewer_hides(uuid), is_being_deleted(uuid) to tertulia_server;
grant execute on function viewer_is_member(), viewer_is_moderator(), username_skeleton(text)
  to tertulia_server, tertulia_worker, tertulia_trigger;
grant execute on function begin_sign_in(bytea, integer), refuse_suspended(uuid), require_moderator_of(uuid)
  to tertulia_worker;
grant execute on function viewer_is_administrator() to tertulia_trigger;

reset role;
alter function viewer_hides(uuid) owner to tertulia_trigger;
alter function log_user_changes() owner to tertulia_trigger;
alter function log_credentials_update() owner to tertulia_trigger;
alter function lock_viewer() owner to tertulia_trigger;
alter function username_is_taken(text, uuid) owner to tertulia_trigger;
alter function imitates_somebody(text, text, uuid) owner to tertulia_trigger;
alter function refuse_suspended(uuid) owner to tertulia_trigger;
alter function refuse_suspended_viewer() owner to tertulia_trigger;
alter function refuse_session_of_suspended() owner to tertulia_trigger;
alter function require_moderator_of(uuid) owner to tertulia_trigger;

-- Later migrations make triggers that call these.
set local role tertulia_trigger;
grant execute on function refuse_suspended_viewer() to tertulia_owner;
reset role;
