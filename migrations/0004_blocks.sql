set local role tertulia_owner;

create table blocks (
  blocker_id uuid not null references users on delete cascade,
  blocked_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id)
);
create index on blocks (blocked_id);
create index on blocks (blocker_id, created_at desc, blocked_id desc);

-- Both sides of the blocks of each account that has any, written by triggers: a request reads at most one row.
create table hidden_people (
  viewer_id uuid primary key references users on delete cascade,
  blocked uuid[] not null default '{}',
  blocked_by uuid[] not null default '{}',
  -- How many both are, to be read without them.
  people integer not null generated always as (cardinality(blocked) + cardinality(blocked_by)) stored
);

alter table blocks enable row level security, force row level security;
alter table hidden_people enable row level security, force row level security;

create policy own on blocks to tertulia_server using (blocker_id = (select viewer_id()));
create policy accounts on blocks to tertulia_worker using (true);
create policy triggers on blocks for select to tertulia_trigger using (true);
create policy hides on blocks for select to tertulia_owner using (true);

-- Without a sub-select, which PostgreSQL prepares in every segment of a request, although most viewers have no row.
create policy own on hidden_people for select to tertulia_server using (viewer_id = viewer_id());
create policy tail on hidden_people for select to tertulia_worker using (true);
create policy blocks on hidden_people to tertulia_trigger using (true);

grant select, delete on blocks to tertulia_server, tertulia_worker;
grant insert (blocker_id, blocked_id) on blocks to tertulia_server;
grant update (blocker_id, blocked_id) on blocks to tertulia_worker;
grant select on blocks to tertulia_trigger;
grant select on hidden_people to tertulia_server, tertulia_worker;
grant select, insert, update on hidden_people to tertulia_trigger;

create trigger refuse_suspended before insert or update or delete on blocks
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();

-- Takes people in the order of their ids, so that two statements never wait for each other in a circle. A person whose
-- account is gone, or goes in this transaction, has no row to change.
create function log_block_changes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  pair record;
begin
  if tg_op = 'INSERT' then
    -- The owner is the blocker, the subject the blocked person.
    insert into change_log (type, object_id, after)
    select 'block', blocked_id, row(blocker_id, null, null, null, blocked_id, null)::change_state
    from changed order by blocker_id, blocked_id;
    for pair in
      select blocker_id as person, blocked_id as other, true as is_blocker from changed
      union all select blocked_id, blocker_id, false from changed order by 1, 2
    loop
      insert into hidden_people as h (viewer_id, blocked, blocked_by)
      values (pair.person, case when pair.is_blocker then array[pair.other] else '{}' end,
        case when pair.is_blocker then '{}' else array[pair.other] end)
      on conflict (viewer_id) do update
      set blocked = h.blocked || excluded.blocked, blocked_by = h.blocked_by || excluded.blocked_by;
    end loop;
  else
    insert into change_log (type, object_id, before)
    select 'block', blocked_id, row(blocker_id, null, null, null, blocked_id, null)::change_state
    from changed order by blocker_id, blocked_id;
    for pair in
      select blocker_id as person, blocked_id as other, true as is_blocker from changed
      union all select blocked_id, blocker_id, false from changed order by 1, 2
    loop
      update hidden_people set
        blocked = case when pair.is_blocker then array_remove(blocked, pair.other) else blocked end,
        blocked_by = case when pair.is_blocker then blocked_by else array_remove(blocked_by, pair.other) end
      where viewer_id = pair.person;
    end loop;
  end if;
  return null;
end
$$;

-- Where an anonymous account is merged, its blocks become the other account's.
create function log_block_moves() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, before)
  select 'block', blocked_id, row(blocker_id, null, null, null, blocked_id, null)::change_state
  from changed_from order by blocker_id, blocked_id;
  insert into change_log (type, object_id, after)
  select 'block', blocked_id, row(blocker_id, null, null, null, blocked_id, null)::change_state
  from changed_to order by blocker_id, blocked_id;
  insert into hidden_people (viewer_id, blocked, blocked_by)
  select id, array(select blocked_id from blocks where blocker_id = id),
    array(select blocker_id from blocks where blocked_id = id)
  from (
    select blocker_id as id from changed_from union select blocked_id from changed_from
    union select blocker_id from changed_to union select blocked_id from changed_to
  ) as people order by id
  on conflict (viewer_id) do update set blocked = excluded.blocked, blocked_by = excluded.blocked_by;
  return null;
end
$$;
create trigger log_insert after insert on blocks
  referencing new table as changed for each statement execute function log_block_changes();
create trigger log_update after update on blocks
  referencing old table as changed_from new table as changed_to
  for each statement execute function log_block_moves();
create trigger log_delete after delete on blocks
  referencing old table as changed for each statement execute function log_block_changes();

-- What app.hidden lists for the viewer with these blocks.
create function hidden_setting(blocked uuid[], blocked_by uuid[]) returns text
  language plpgsql stable parallel safe
  set search_path = public, pg_temp
as $$
begin
  return case when cardinality(blocked_by) = 0 or viewer_is_moderator() then blocked else blocked || blocked_by end;
end
$$;

-- Everybody who blocked the viewer or was blocked by the viewer.
create function people_hidden_from_viewer() returns uuid[]
  language plpgsql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
begin
  return coalesce((
    select blocked || blocked_by from hidden_people where hidden_people.viewer_id = viewer_id()), '{}');
end
$$;

-- The accounts that this account is told nothing of: those blocked either way, and those that are being removed.
create function people_hidden_from(account uuid) returns uuid[]
  language sql stable
  set search_path = public, pg_temp
begin atomic
  select coalesce((select blocked || blocked_by from hidden_people where viewer_id = account), '{}')
    || array(select user_id from deleted_accounts);
end;

-- The people whom the viewer blocked, who are not visible otherwise, the newest block first, before a position.
create function people_blocked_by_viewer(before_at timestamptz, before_id uuid, most bigint)
  returns table (person users, blocked_at timestamptz)
  language plpgsql stable security definer rows 20
  set search_path = public, pg_temp
as $$
begin
  return query select u, b.created_at from blocks b join users u on u.id = b.blocked_id
    where b.blocker_id = viewer_id() and (b.created_at, b.blocked_id) < (before_at, before_id)
      and not exists (select from deleted_accounts d where d.user_id = b.blocked_id)
    order by b.created_at desc, b.blocked_id desc limit most;
end
$$;

-- A person whom the viewer may block or unblock. A person who blocked the viewer is not found, so that the viewer does
-- not learn of it.
create function person_to_block(person uuid) returns setof users
  language plpgsql stable security definer rows 1
  set search_path = public, pg_temp
as $$
begin
  return query select u.* from users u where u.id = person
    and not exists (select from deleted_accounts where user_id = person)
    and (
      not exists (select from blocks where blocker_id = person and blocked_id = viewer_id())
      or exists (select from blocks where blocker_id = viewer_id() and blocked_id = person)
      or viewer_is_moderator());
end
$$;

-- Whether a block by the viewer hides a subject that everyone else, or every participant, sees. A block of the viewer
-- by somebody else is never told.
create function viewer_blocked_owner(subject_type text, subject uuid) returns boolean
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
declare
  owner uuid;
begin
  case subject_type
    when 'thought' then select author_id into owner from thoughts where id = subject and status = 'PUBLISHED';
    when 'event' then select author_id into owner from events where id = subject;
    when 'comment' then
      select c.author_id into owner from comments c left join thoughts t on t.id = c.thought_id
      where c.id = subject and (t.id is null or t.status = 'PUBLISHED');
    when 'user' then owner := subject;
    when 'conversation' then
      select pair_with into owner from conversation_members
      where conversation_id = subject and user_id = viewer_id() and left_at is null;
    when 'message' then
      select m.author_id into owner from messages m
      join conversation_members p on p.conversation_id = m.conversation_id
      where m.id = subject and p.user_id = viewer_id() and p.left_at is null and not m.number <@ p.absences;
    else return false;
  end case;
  return exists (select from blocks where blocker_id = viewer_id() and blocked_id = owner);
end
$$;

grant execute on function people_hidden_from_viewer(), people_blocked_by_viewer(timestamptz, uuid, bigint),
  person_to_block(uuid), viewer_blocked_owner(text, uuid) to tertulia_server;
grant execute on function people_hidden_from(uuid) to tertulia_worker;
grant execute on function hidden_setting(uuid[], uuid[]) to tertulia_server, tertulia_worker;

reset role;
alter function log_block_changes() owner to tertulia_trigger;
alter function log_block_moves() owner to tertulia_trigger;
alter function people_hidden_from_viewer() owner to tertulia_trigger;
alter function viewer_blocked_owner(text, uuid) owner to tertulia_trigger;
