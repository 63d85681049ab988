set local role tertulia_owner;

-- The skeleton (Unicode Technical Standard #39) of a username, which is of a-z, 0-9, _ and . only. The server's NameSkeleton
-- computes the same.
create function username_skeleton(username text) returns text
  language sql immutable parallel safe
  return translate(replace(username, 'm', 'rn'), '01', 'Ol');

create unique index users_username_skeleton_key on users (username_skeleton(username));

-- Of display_name, computed by the server; null for names that it made itself.
alter table users add column name_skeleton text;
create index users_of_name_skeleton on users (name_skeleton);
grant update (name_skeleton) on users to tertulia_server;

-- Whether another account has the username, or one that looks like it. As the triggers' role: people who blocked the viewer
-- count, too, and the index is used, which policies would forbid for a function that may leak.
create function username_is_taken(name text, own_id uuid) returns boolean
  language sql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
  select exists (select from users where username_skeleton(username) = username_skeleton(name) and id is distinct from own_id)
$$;

-- Whether a name looks like another account's username or display name without being the same. As the triggers'
-- role, too.
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
grant execute on function username_is_taken(text, uuid), imitates_somebody(text, text, uuid), username_skeleton(text) to tertulia_server, tertulia_worker,
  tertulia_trigger;

reset role;
alter function username_is_taken(text, uuid) owner to tertulia_trigger;
alter function imitates_somebody(text, text, uuid) owner to tertulia_trigger;
