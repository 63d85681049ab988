set local role tertulia_owner;

create index on blocks (blocker_id, created_at desc, blocked_id desc);

-- Both sides of the blocks of those who have any, by triggers: a request reads one row, and almost always finds none.
create table hidden_people (
  viewer_id uuid primary key references users on delete cascade,
  blocked uuid[] not null default '{}',
  blocked_by uuid[] not null default '{}'
);
alter table hidden_people enable row level security;
alter table hidden_people force row level security;
create policy own on hidden_people for select to tertulia_server using (viewer_id = (select viewer_id()));
create policy blocks on hidden_people to tertulia_trigger using (true);
create policy tail on hidden_people for select to tertulia_worker using (true);
grant select on hidden_people to tertulia_server, tertulia_worker;
grant select, insert, update on hidden_people to tertulia_trigger;

-- Whom the viewer sees nothing of: each segment of a request puts them into app.hidden, once for all policies.
create function hidden_ids() returns uuid[]
  language sql stable parallel safe
  return coalesce(nullif(current_setting('app.hidden', true), ''), '{}')::uuid[];
grant execute on function viewer_is_moderator() to tertulia_trigger;
grant execute on function hidden_ids() to tertulia_server, tertulia_worker, tertulia_trigger;

-- Beside what allows. The array is read once a statement.
create policy not_hidden on users as restrictive for select to tertulia_server
  using (id <> all ((select hidden_ids())::uuid[]));
create policy not_hidden on thoughts as restrictive for select to tertulia_server
  using (author_id <> all ((select hidden_ids())::uuid[]));
create policy not_hidden on events as restrictive for select to tertulia_server
  using (author_id <> all ((select hidden_ids())::uuid[]));
create policy not_hidden on comments as restrictive for select to tertulia_server
  using (author_id <> all ((select hidden_ids())::uuid[]));
create policy not_hidden on thought_likes as restrictive for select to tertulia_server
  using (user_id <> all ((select hidden_ids())::uuid[]));
create policy not_hidden on event_rsvps as restrictive for select to tertulia_server
  using (user_id <> all ((select hidden_ids())::uuid[]));
create policy hides on blocks for select to tertulia_owner using (true);

-- The people whom the viewer blocked, who are not visible otherwise, the newest block first, before a position.
create function people_blocked_by_viewer(before_at timestamptz, before_id uuid, most bigint)
  returns table (person users, blocked_at timestamptz)
  language plpgsql stable security definer rows 20
  set search_path = public, pg_temp
as $$
begin
  return query select u, b.created_at from blocks b join users u on u.id = b.blocked_id
    where b.blocker_id = viewer_id() and (b.created_at, b.blocked_id) < (before_at, before_id)
    order by b.created_at desc, b.blocked_id desc limit most;
end
$$;

-- A person whom the viewer may block or unblock: not one who blocked the viewer, as far as the viewer is to know.
create function person_to_block(person uuid) returns setof users
  language plpgsql stable security definer rows 1
  set search_path = public, pg_temp
as $$
begin
  return query select u.* from users u where u.id = person and (
    not exists (select from blocks where blocker_id = person and blocked_id = viewer_id())
    or exists (select from blocks where blocker_id = viewer_id() and blocked_id = person)
    or viewer_is_moderator());
end
$$;
grant execute on function people_blocked_by_viewer(timestamptz, uuid, bigint), person_to_block(uuid)
  to tertulia_server;

insert into hidden_people (viewer_id, blocked, blocked_by)
select id, array(select blocked_id from blocks where blocker_id = id), array(select blocker_id from blocks where blocked_id = id)
from (select blocker_id as id from blocks union select blocked_id from blocks) as people;

-- Whether it is a block of the viewer's own that hides what everyone else sees. Nobody learns who blocked them.
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
    else return false;
  end case;
  return exists (select from blocks where blocker_id = viewer_id() and blocked_id = owner);
end
$$;
create policy explains on blocks for select to tertulia_trigger using (true);
grant select on blocks to tertulia_trigger;
grant execute on function viewer_blocked_owner(text, uuid) to tertulia_server;

-- What became of an account's blocks after a position of the log.
create index change_log_blocks on change_log (xid, id) where type = 'block';

-- The comments on a thought or an event, for those who see it no more.
create function comments_behind(subject uuid, most bigint) returns table (id uuid, author_id uuid)
  language plpgsql stable security definer rows 100
  set search_path = public, pg_temp
as $$
begin
  return query select c.id, c.author_id from comments c
    where c.thought_id = subject or c.event_id = subject limit most;
end
$$;
grant execute on function comments_behind(uuid, bigint) to tertulia_worker;

-- The people in the order of their ids, so that two statements never wait for each other in a circle. One who is gone, or
-- goes in this transaction, has no row to change.
create function note_block_changes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  pair record;
begin
  if tg_op = 'INSERT' then
    -- The routing columns: who blocked, and whom.
    insert into change_log (type, object_id, after)
    select 'block', blocked_id, row(blocker_id, null, null, null, blocked_id)::change_state
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
    select 'block', blocked_id, row(blocker_id, null, null, null, blocked_id)::change_state
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
-- The blocks of one account become another's.
create function note_block_moves() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, before)
  select 'block', blocked_id, row(blocker_id, null, null, null, blocked_id)::change_state
  from changed_from order by blocker_id, blocked_id;
  insert into change_log (type, object_id, after)
  select 'block', blocked_id, row(blocker_id, null, null, null, blocked_id)::change_state
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
create trigger note_update after update on blocks
  referencing old table as changed_from new table as changed_to
  for each statement execute function note_block_moves();
create trigger note_insert after insert on blocks
  referencing new table as changed for each statement execute function note_block_changes();
create trigger note_delete after delete on blocks
  referencing old table as changed for each statement execute function note_block_changes();

-- What is reported may go, and the report stays: no foreign key.
create table reports (
  id uuid primary key,
  reporter_id uuid references users on delete set null,
  subject_type text not null check (subject_type in ('thought', 'comment', 'event', 'user')),
  subject_id uuid not null,
  reason text not null check (reason in ('SPAM', 'HARASSMENT', 'VIOLENCE', 'SEXUAL_CONTENT', 'OTHER')),
  note text,
  status text not null default 'OPEN' check (status in ('OPEN', 'DISMISSED', 'CONTENT_REMOVED')),
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  resolved_by uuid references users on delete set null,
  resolved_at timestamptz,
  check ((status = 'OPEN') = (resolved_at is null))
);
-- Reported again before it is decided, it is the same report.
create unique index reports_open on reports (reporter_id, subject_id) where status = 'OPEN';
create index on reports (reporter_id) where reporter_id is not null;
create index on reports (resolved_by) where resolved_by is not null;
create index reports_of_status on reports (status, created_at, id);
create index reports_of_subject on reports (subject_id) where status = 'OPEN';

-- What moderators did, by ids alone: the content is gone. Append-only.
create table moderation_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  moderator_id uuid not null,
  action text not null check (action in ('REMOVED', 'DISMISSED')),
  subject_type text not null,
  subject_id uuid not null,
  author_id uuid,
  -- Where it was decided on a report.
  report_id uuid
);
create index on moderation_log (subject_id);

alter table reports enable row level security;
alter table reports force row level security;
alter table moderation_log enable row level security;
alter table moderation_log force row level security;

create policy visible on reports for select to tertulia_server
  using (reporter_id = (select viewer_id()) or (select viewer_is_moderator()));
create policy create_own on reports for insert to tertulia_server with check (reporter_id = (select viewer_id()));
create policy moderation on reports to tertulia_trigger using (true);
create policy append on moderation_log for insert to tertulia_trigger with check (true);
create policy read on moderation_log for select to tertulia_worker using (true);
create policy moderation on comments for delete to tertulia_trigger using (true);
create policy moderation on users for update to tertulia_trigger using (true) with check (true);

grant select on reports to tertulia_server;
grant insert (id, reporter_id, subject_type, subject_id, reason, note) on reports to tertulia_server;
grant select, update (status, resolved_by, resolved_at) on reports to tertulia_trigger;
grant insert on moderation_log to tertulia_trigger;
grant select on moderation_log to tertulia_worker;
grant delete on thoughts, events, comments to tertulia_trigger;
grant update (bio, avatar_id) on users to tertulia_trigger;

create function refuse_change_of_moderation_log() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'the moderation log is append-only';
end
$$;
create trigger append_only before update or delete on moderation_log
  for each row execute function refuse_change_of_moderation_log();

-- A deletion by the viewer of what somebody else wrote; what falls with it, a foreign key deletes.
create function log_removal() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into moderation_log (moderator_id, action, subject_type, subject_id, author_id, report_id)
  select viewer_id(), 'REMOVED', tg_argv[0], id, author_id, nullif(current_setting('app.report_id', true), '')::uuid
  from changed_from where author_id <> viewer_id() order by id;
  return null;
end
$$;
create trigger log_removal after delete on thoughts referencing old table as changed_from
  for each statement when (pg_trigger_depth() = 0) execute function log_removal('thought');
create trigger log_removal after delete on events referencing old table as changed_from
  for each statement when (pg_trigger_depth() = 0) execute function log_removal('event');
create trigger log_removal after delete on comments referencing old table as changed_from
  for each statement when (pg_trigger_depth() = 0) execute function log_removal('comment');

-- With removal, every open report of the same subject is decided. Of a person, what the profile says is removed.
create function resolve_report(report uuid, remove boolean) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  found_report reports;
begin
  if not viewer_is_moderator() then
    return refuse(case when exists (select from reports where id = report and reporter_id = viewer_id())
      then 'FORBIDDEN' else 'NOT_FOUND' end);
  end if;
  select * into found_report from reports where id = report for no key update;
  if found_report.id is null then
    return refuse('NOT_FOUND');
  end if;
  if found_report.status <> 'OPEN' then
    return (found_report.status = 'CONTENT_REMOVED') = remove or refuse('USER_ERRORS', 'CONFLICT id');
  end if;
  if not remove then
    update reports set status = 'DISMISSED', resolved_by = viewer_id(), resolved_at = date_trunc('milliseconds', now())
    where id = report;
    insert into moderation_log (moderator_id, action, subject_type, subject_id, report_id)
    values (viewer_id(), 'DISMISSED', found_report.subject_type, found_report.subject_id, report);
    return true;
  end if;
  perform set_config('app.report_id', report::text, true);
  case found_report.subject_type
    when 'thought' then delete from thoughts where id = found_report.subject_id;
    when 'event' then delete from events where id = found_report.subject_id;
    when 'comment' then
      perform lock_subject(thought_id, event_id) from comments where id = found_report.subject_id;
      delete from comments where id = found_report.subject_id;
    when 'user' then
      update users set bio = null, avatar_id = null where id = found_report.subject_id;
      insert into moderation_log (moderator_id, action, subject_type, subject_id, author_id, report_id)
      values (viewer_id(), 'REMOVED', 'user', found_report.subject_id, found_report.subject_id, report);
  end case;
  perform set_config('app.report_id', '', true);
  perform from reports where subject_id = found_report.subject_id and status = 'OPEN' order by id for no key update;
  update reports
  set status = 'CONTENT_REMOVED', resolved_by = viewer_id(), resolved_at = date_trunc('milliseconds', now())
  where subject_id = found_report.subject_id and status = 'OPEN';
  return true;
end
$$;
grant execute on function resolve_report(uuid, boolean) to tertulia_server;

reset role;
alter function viewer_blocked_owner(text, uuid) owner to tertulia_trigger;
alter function note_block_changes() owner to tertulia_trigger;
alter function log_removal() owner to tertulia_trigger;
alter function resolve_report(uuid, boolean) owner to tertulia_trigger;
alter function comments_behind(uuid, bigint) owner to tertulia_trigger;
alter function note_block_moves() owner to tertulia_trigger;
