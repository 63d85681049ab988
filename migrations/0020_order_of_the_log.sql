-- The rows of one object stand in the log in the order in which they were written. Transactions are numbered as they
-- begin to write, so a transaction can change an object after a younger one did. Filed under its own number, its row
-- would stand before the younger one's. So a row is filed under its transaction's number or the highest number of a
-- row of its object, whichever is higher. As long as the transaction runs, its own number holds the log's readers back.
-- The reasons are in docs/decisions/0038-the-order-of-the-log.md.
set local role tertulia_owner;

-- Waits for the transactions that have changed one of these tables, so that the columns begin with a number that no
-- row of the log exceeds. The tables are in the order in which most writes take them, so that few writes deadlock with
-- this lock.
lock table messages, conversations, conversation_members, comments, thoughts, events, notifications, hidden_people
  in access exclusive mode;

-- Adds to each table the number under which the log has the newest row about the object. The default for the rows that
-- exist is a constant, so that the table is not rewritten.
do $$
declare
  newest constant text := pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1;
  logged text;
begin
  foreach logged in array array['thoughts', 'events', 'comments', 'conversations', 'conversation_members', 'messages',
    'notifications', 'hidden_people']
  loop
    execute format('alter table %I add column changed_in xid8 not null default %L', logged, newest);
    execute format('alter table %I alter column changed_in set default pg_current_xact_id()', logged);
  end loop;
end
$$;

-- An update may set the column to a higher number, which is kept.
create function keep_log_order() returns trigger
  language plpgsql
as $$
begin
  new.changed_in := greatest(new.changed_in, old.changed_in, pg_current_xact_id());
  return new;
end
$$;

create trigger keep_log_order before update on comments for each row execute function keep_log_order();
create trigger keep_log_order before update on messages for each row execute function keep_log_order();
create trigger keep_log_order before update on notifications for each row execute function keep_log_order();
create trigger keep_log_order before update on hidden_people for each row execute function keep_log_order();
-- The functions that count set the column themselves, which costs less than a trigger.
create trigger keep_log_order before update on thoughts for each row
  when (current_user <> 'tertulia_trigger') execute function keep_log_order();
create trigger keep_log_order before update on events for each row
  when (current_user <> 'tertulia_trigger') execute function keep_log_order();
-- A trigger before an update locks each row first, and a message updates its conversation and all participants. So
-- number_message sets the column of conversations, and log_member_change, which runs afterwards, that of participants.

-- The number under which the deletion of an object is filed: clients choose ids, and an id may be given again, also by
-- another account. Only transactions that have begun before the deletion need the row; housekeeping deletes it.
create table deleted_objects (
  id uuid primary key,
  changed_in xid8 not null
);
alter table deleted_objects enable row level security, force row level security;
create policy order_of_the_log on deleted_objects to tertulia_trigger using (true);
create policy sweep on deleted_objects to tertulia_worker using (true);
grant select, insert, update on deleted_objects to tertulia_trigger;
grant select, delete on deleted_objects to tertulia_worker;

-- The functions that count set the column of a thought or an event. An object whose row is filed under the number of
-- its subject, or of a deletion, gets that number afterwards.
grant update (changed_in) on thoughts, events, comments, messages to tertulia_trigger;
create policy order_of_the_log on comments for update to tertulia_trigger using (true);
create policy order_of_the_log on messages for update to tertulia_trigger using (true);

set local role tertulia_trigger;
grant execute on function log_comment_update(), log_message_changes() to tertulia_owner;
set local role tertulia_owner;

-- An update by tertulia_trigger sets `changed_in` alone, and adds no row to the log.
drop trigger log_update on comments;
create trigger log_update after update on comments for each row
  when (current_user <> 'tertulia_trigger') execute function log_comment_update();
drop trigger log_update on messages;
create trigger log_update after update on messages
  referencing old table as changed_from new table as changed_to
  for each statement when (current_user <> 'tertulia_trigger') execute function log_message_changes();
reset role;
set local role tertulia_trigger;

-- Thoughts ------------------------------------------------------------------------------------------------------------

create or replace function log_thought_insert() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  filed xid8;
begin
  insert into change_log (xid, type, object_id, after)
  values (greatest(new.changed_in, (select changed_in from deleted_objects where id = new.id)), 'thought', new.id,
    row(new.author_id, new.status, new.category, null, null, null)::change_state)
  returning xid into filed;
  if filed > new.changed_in then
    update thoughts set changed_in = filed where id = new.id;
  end if;
  return null;
end
$$;

create or replace function log_thought_update() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (xid, type, object_id, before, after)
  values (new.changed_in, 'thought', new.id,
    row(old.author_id, old.status, old.category, null, null, null)::change_state,
    row(new.author_id, new.status, new.category, null, null, null)::change_state);
  return null;
end
$$;

create or replace function log_thought_deletion() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  with deleted as (
    insert into deleted_objects as d
    select id, greatest(changed_in, pg_current_xact_id()) from changed_from order by id
    on conflict (id) do update set changed_in = greatest(d.changed_in, excluded.changed_in)
    returning id, changed_in
  )
  insert into change_log (xid, type, object_id, before)
  select d.changed_in, 'thought', o.id, row(o.author_id, o.status, o.category, null, null, null)::change_state
  from changed_from o join deleted d using (id) order by o.id;
  return null;
end
$$;

create or replace function count_thought_like() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  with counted as (
    update thoughts set like_count = like_count + 1,
      changed_in = greatest(changed_in, pg_current_xact_id())
    where id = new.thought_id
    returning changed_in, row(author_id, status, category, null, null, null)::change_state as state
  )
  insert into change_log (xid, type, object_id, before, after, counters_only)
  select changed_in, 'thought', new.thought_id, state, state, true from counted;
  return null;
end
$$;

create or replace function add_to_like_count(thought uuid, step integer) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  with counted as (
    update thoughts set like_count = like_count + step,
      changed_in = greatest(changed_in, pg_current_xact_id())
    where id = thought
    returning changed_in, id, row(author_id, status, category, null, null, null)::change_state as state
  )
  insert into change_log (xid, type, object_id, before, after, counters_only)
  select changed_in, 'thought', id, state, state, true from counted;
end
$$;

create or replace function add_to_mark_counts(
    thought uuid, saves integer, shares integer, ratings integer, stars integer) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  with counted as (
    update thoughts set save_count = save_count + saves, share_count = share_count + shares,
      rating_count = rating_count + ratings, rating_total = rating_total + stars,
      changed_in = greatest(changed_in, pg_current_xact_id())
    where id = thought
    returning changed_in, id, row(author_id, status, category, null, null, null)::change_state as state
  )
  insert into change_log (xid, type, object_id, before, after, counters_only)
  select changed_in, 'thought', id, state, state, true from counted;
end
$$;

-- Events --------------------------------------------------------------------------------------------------------------

create or replace function log_event_changes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    insert into change_log (xid, type, object_id, after)
    select greatest(n.changed_in, d.changed_in), 'event', n.id,
      row(n.author_id, null, null, n.starts_at, null, null)::change_state
    from changed_to n left join deleted_objects d using (id) order by n.id;
    update events e set changed_in = d.changed_in from changed_to n join deleted_objects d using (id)
    where e.id = n.id and d.changed_in > n.changed_in;
  else
    with deleted as (
      insert into deleted_objects as d
      select id, greatest(changed_in, pg_current_xact_id()) from changed_from order by id
      on conflict (id) do update set changed_in = greatest(d.changed_in, excluded.changed_in)
      returning id, changed_in
    )
    insert into change_log (xid, type, object_id, before)
    select d.changed_in, 'event', o.id, row(o.author_id, null, null, o.starts_at, null, null)::change_state
    from changed_from o join deleted d using (id) order by o.id;
  end if;
  return null;
end
$$;

create or replace function log_event_update() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (xid, type, object_id, before, after)
  values (new.changed_in, 'event', new.id, row(old.author_id, null, null, old.starts_at, null, null)::change_state,
    row(new.author_id, null, null, new.starts_at, null, null)::change_state);
  return null;
end
$$;

create or replace function add_to_rsvp_counts(event uuid, interested integer, going integer) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  with counted as (
    update events set interested_count = interested_count + interested, going_count = going_count + going,
      changed_in = greatest(changed_in, pg_current_xact_id())
    where id = event
    returning changed_in, id, row(author_id, null, null, starts_at, null, null)::change_state as state
  )
  insert into change_log (xid, type, object_id, before, after, counters_only)
  select changed_in, 'event', id, state, state, true from counted;
end
$$;

-- Comments ------------------------------------------------------------------------------------------------------------

-- A comment is hidden and shown with its thought or event. A comment that comes or goes changes a counter of that
-- subject, whose row is locked with it, so its row of the log is filed no lower than the rows of the subject.

-- Returns the number under which the row of the log is filed; null if the thought or event is gone.
drop function add_to_comment_count(uuid, uuid, integer);
create function add_to_comment_count(thought uuid, event uuid, step integer) returns xid8
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  filed xid8;
begin
  if thought is not null then
    with counted as (
      update thoughts set comment_count = comment_count + step,
        changed_in = greatest(changed_in, pg_current_xact_id())
      where id = thought
      returning changed_in, id, row(author_id, status, category, null, null, null)::change_state as state
    )
    insert into change_log (xid, type, object_id, before, after, counters_only)
    select changed_in, 'thought', id, state, state, true from counted
    returning xid into filed;
  else
    with counted as (
      update events set comment_count = comment_count + step,
        changed_in = greatest(changed_in, pg_current_xact_id())
      where id = event
      returning changed_in, id, row(author_id, null, null, starts_at, null, null)::change_state as state
    )
    insert into change_log (xid, type, object_id, before, after, counters_only)
    select changed_in, 'event', id, state, state, true from counted
    returning xid into filed;
  end if;
  return filed;
end
$$;
revoke execute on function add_to_comment_count(uuid, uuid, integer) from public;

create or replace function count_comment() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  filed xid8;
begin
  -- The row of an imported comment has no `counted`, by which enqueue_comments finds the comments to notify of.
  if current_setting('app.import', true) = 'on' then
    insert into change_log (xid, type, object_id, after)
    values (
      greatest(add_to_comment_count(new.thought_id, new.event_id, 1),
        (select changed_in from deleted_objects where id = new.id)),
      'comment', new.id,
      row(new.author_id, null, null, null, coalesce(new.thought_id, new.event_id), null)::change_state)
    returning xid into filed;
  elsif new.thought_id is not null then
    with subject as (
      update thoughts set comment_count = comment_count + 1, changed_in = greatest(
        changed_in, pg_current_xact_id(), (select d.changed_in from deleted_objects d where d.id = new.id))
      where id = new.thought_id
      returning changed_in, row(author_id, status, category, null, null, null)::change_state as state
    )
    insert into change_log (xid, type, object_id, after, counted)
    select changed_in, 'comment', new.id, row(new.author_id, null, null, null, new.thought_id, null)::change_state,
      state
    from subject
    returning xid into filed;
  else
    with subject as (
      update events set comment_count = comment_count + 1, changed_in = greatest(
        changed_in, pg_current_xact_id(), (select d.changed_in from deleted_objects d where d.id = new.id))
      where id = new.event_id
      returning changed_in, row(author_id, null, null, starts_at, null, null)::change_state as state
    )
    insert into change_log (xid, type, object_id, after, counted)
    select changed_in, 'comment', new.id, row(new.author_id, null, null, null, new.event_id, null)::change_state,
      state
    from subject
    returning xid into filed;
  end if;
  if filed > new.changed_in then
    update comments set changed_in = filed where id = new.id;
  end if;
  return null;
end
$$;

create or replace function count_removed_comments() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  one record;
  comment change_state;
  -- The number of the subject, where the comment is deleted with it.
  subject_deleted xid8;
begin
  select *, count(*) over () as rows into one from changed;
  if one.rows = 1 then
    comment := row(one.author_id, null, null, null, coalesce(one.thought_id, one.event_id), null);
    select changed_in into subject_deleted from deleted_objects where id = coalesce(one.thought_id, one.event_id);
    if one.thought_id is not null then
      with counted as (
        update thoughts set comment_count = comment_count - 1,
          changed_in = greatest(changed_in, pg_current_xact_id())
        where id = one.thought_id
        returning changed_in, id, row(author_id, status, category, null, null, null)::change_state as state
      ), deleted as (
        insert into deleted_objects as d
        values (one.id, greatest(
          one.changed_in, pg_current_xact_id(), (select changed_in from counted), subject_deleted))
        on conflict (id) do update set changed_in = greatest(d.changed_in, excluded.changed_in)
        returning changed_in
      )
      insert into change_log (xid, type, object_id, before, after, counters_only)
      select changed_in, 'comment', one.id, comment, null, false from deleted
      union all
      select changed_in, 'thought', id, state, state, true from counted;
    else
      with counted as (
        update events set comment_count = comment_count - 1,
          changed_in = greatest(changed_in, pg_current_xact_id())
        where id = one.event_id
        returning changed_in, id, row(author_id, null, null, starts_at, null, null)::change_state as state
      ), deleted as (
        insert into deleted_objects as d
        values (one.id, greatest(
          one.changed_in, pg_current_xact_id(), (select changed_in from counted), subject_deleted))
        on conflict (id) do update set changed_in = greatest(d.changed_in, excluded.changed_in)
        returning changed_in
      )
      insert into change_log (xid, type, object_id, before, after, counters_only)
      select changed_in, 'comment', one.id, comment, null, false from deleted
      union all
      select changed_in, 'event', id, state, state, true from counted;
    end if;
  elsif one.rows > 1 then
    with subjects as materialized (
      select thought_id, event_id, add_to_comment_count(thought_id, event_id, -n) as filed from (
        select thought_id, event_id, count(*)::integer as n from changed group by 1, 2 order by 1, 2
      ) as counts
    ), deleted as (
      insert into deleted_objects as d
      select c.id, greatest(c.changed_in, pg_current_xact_id(), s.filed, (
        select d.changed_in from deleted_objects d where d.id = coalesce(c.thought_id, c.event_id)))
      from changed c join subjects s
        on coalesce(c.thought_id, c.event_id) = coalesce(s.thought_id, s.event_id)
          and (c.thought_id is null) = (s.thought_id is null)
      order by c.id
      on conflict (id) do update set changed_in = greatest(d.changed_in, excluded.changed_in)
      returning id, changed_in
    )
    insert into change_log (xid, type, object_id, before)
    select d.changed_in, 'comment', c.id,
      row(c.author_id, null, null, null, coalesce(c.thought_id, c.event_id), null)::change_state
    from changed c join deleted d using (id) order by c.id;
  end if;
  return null;
end
$$;

create or replace function log_comment_update() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (xid, type, object_id, before, after)
  values (new.changed_in, 'comment', new.id,
    row(old.author_id, null, null, null, coalesce(old.thought_id, old.event_id), null)::change_state,
    row(new.author_id, null, null, null, coalesce(new.thought_id, new.event_id), null)::change_state);
  return null;
end
$$;

-- Chat ----------------------------------------------------------------------------------------------------------------

create or replace function number_message() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform from users where id = new.author_id for key share;
  update conversations set last_number = last_number + 1, changed_in = greatest(changed_in, pg_current_xact_id())
    where id = new.conversation_id
    returning last_number, changed_in into new.number, new.changed_in;
  new.created_at := date_trunc('milliseconds', clock_timestamp());
  return new;
end
$$;

-- A row about a message is filed no lower than the participants who had joined before. An edit and a deletion lock the
-- conversation, so that nobody joins between. What an account's deletion or an image's does to messages does not: it
-- holds rows for which a sender, who has locked the conversation, may wait.
create or replace function log_message_changes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    update conversation_members p set last_message_at = greatest(p.last_message_at, n.at),
      newest_from_others = greatest(p.newest_from_others, (
        select max(number) from changed_to m
        where m.conversation_id = p.conversation_id and m.author_id is distinct from p.user_id))
    from (select conversation_id, max(created_at) as at from changed_to group by 1) n
    where p.conversation_id = n.conversation_id and p.left_at is null;
    if exists (select from deleted_objects d join changed_to n using (id) where d.changed_in > n.changed_in) then
      update messages m set changed_in = d.changed_in from deleted_objects d
      where d.id = m.id and d.changed_in > m.changed_in and m.id in (select id from changed_to);
    end if;
    insert into change_log (xid, type, object_id, before, after)
    select greatest(changed_in, (select d.changed_in from deleted_objects d where d.id = n.id)), 'message', id, null,
      row(author_id, null, null, null, conversation_id, null)::change_state
    from changed_to n
    union all
    select max(changed_in), 'conversation', conversation_id,
      row(null, null, null, null, conversation_id, null)::change_state,
      row(null, null, null, null, conversation_id, null)::change_state
    from changed_to group by conversation_id;
  elsif tg_op = 'UPDATE' then
    if exists (select from changed_to n join changed_from o using (id) where n.text <> o.text) then
      perform from conversations where id in (select conversation_id from changed_to) order by id for share;
    end if;
    insert into change_log (xid, type, object_id, before, after)
    select greatest(n.changed_in, c.changed_in), 'message', n.id,
      row(o.author_id, null, null, null, o.conversation_id, null)::change_state,
      row(n.author_id, null, null, null, n.conversation_id, null)::change_state
    from changed_to n join changed_from o using (id) join conversations c on c.id = n.conversation_id order by n.id;
  else
    perform from conversations where id in (select conversation_id from changed_from) order by id for share;
    with deleted as (
      insert into deleted_objects as d
      select m.id, greatest(m.changed_in, pg_current_xact_id(), c.changed_in)
      from changed_from m join conversations c on c.id = m.conversation_id order by m.id
      on conflict (id) do update set changed_in = greatest(d.changed_in, excluded.changed_in)
      returning id, changed_in
    )
    insert into change_log (xid, type, object_id, before, after)
    select d.changed_in, 'message', id, row(author_id, null, null, null, conversation_id, null)::change_state, null
    from changed_from join deleted d using (id)
    union all
    select max(d.changed_in), 'conversation', conversation_id,
      row(null, null, null, null, conversation_id, null)::change_state,
      row(null, null, null, null, conversation_id, null)::change_state
    from changed_from join deleted d using (id) group by conversation_id;
  end if;
  return null;
end
$$;

create or replace function log_member_change() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  filed xid8 := greatest(new.changed_in, old.changed_in, pg_current_xact_id());
begin
  insert into change_log (xid, type, object_id, before, after)
  values (filed, 'conversation', new.conversation_id,
    case when tg_op = 'UPDATE' then row(old.user_id, case when old.left_at is null then 'JOINED' else 'LEFT' end,
      null, null, new.conversation_id, null)::change_state end,
    row(new.user_id, case when new.left_at is null then 'JOINED' else 'LEFT' end,
      null, null, new.conversation_id, null)::change_state);
  if filed > new.changed_in then
    update conversation_members set changed_in = filed
    where conversation_id = new.conversation_id and place = new.place;
  end if;
  return null;
end
$$;

-- The messages that follow are filed after the participant who joins again.
create or replace function start_conversation(new_id uuid, people uuid[]) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  everyone uuid[] := array(select unnest(people) union select viewer_id() order by 1);
  found uuid;
  filed xid8;
begin
  if not viewer_is_member() then
    perform refuse('FORBIDDEN', 'SIGN_UP_REQUIRED');
  end if;
  -- An account's deletion locks the account first.
  if (select count(*) from (select from users where id = any(everyone) order by id for key share) u)
      < cardinality(everyone)
    or everyone && people_hidden_from_viewer() then
    perform refuse('NOT_FOUND');
  end if;
  -- Waits for a transaction that makes the same conversation; the next statement then sees it.
  insert into conversations (id, people_key) values (new_id, people_key(everyone)) on conflict do nothing
    returning id into found;
  if found is not null then
    insert into conversation_members (conversation_id, place, user_id, pair_with)
    select found, n, id, case cardinality(everyone) when 2 then everyone[3 - n] end
    from unnest(everyone) with ordinality as e (id, n);
    return true;
  end if;
  select id into found from conversations where people_key = people_key(everyone) for no key update;
  if found is null then
    perform refuse('USER_ERRORS', 'TAKEN id');
  end if;
  update conversation_members p set left_at = null, joined_at = date_trunc('milliseconds', now()),
    absences = p.absences - int8multirange(int8range(c.last_number + 1, null)), last_read_number = c.last_number,
    changed_in = greatest(p.changed_in, c.changed_in, pg_current_xact_id())
  from conversations c
  where c.id = found and p.conversation_id = found and p.user_id = viewer_id() and p.left_at is not null
  returning p.changed_in into filed;
  if filed is not null then
    update conversations set changed_in = filed where id = found;
  end if;
  return false;
end
$$;

-- Blocks --------------------------------------------------------------------------------------------------------------

-- Locks the rows of both people, and gives them the same number. A person whose account is gone, or goes in this
-- transaction, has no row. People are taken in the order of their ids, so that two statements never wait for each other
-- in a circle.
create or replace function log_block_changes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  pair record;
  raised xid8;
  filed xid8 := pg_current_xact_id();
begin
  for pair in
    select blocker_id as person, blocked_id as other, true as is_blocker from changed
    union all select blocked_id, blocker_id, false from changed order by 1, 2
  loop
    if tg_op = 'INSERT' then
      insert into hidden_people as h (viewer_id, blocked, blocked_by)
      values (pair.person, case when pair.is_blocker then array[pair.other] else '{}' end,
        case when pair.is_blocker then '{}' else array[pair.other] end)
      on conflict (viewer_id) do update
      set blocked = h.blocked || excluded.blocked, blocked_by = h.blocked_by || excluded.blocked_by
      returning changed_in into raised;
    else
      update hidden_people set
        blocked = case when pair.is_blocker then array_remove(blocked, pair.other) else blocked end,
        blocked_by = case when pair.is_blocker then blocked_by else array_remove(blocked_by, pair.other) end
      where viewer_id = pair.person
      returning changed_in into raised;
    end if;
    filed := greatest(filed, raised);
  end loop;
  update hidden_people set changed_in = filed
  where viewer_id in (select blocker_id from changed union select blocked_id from changed) and changed_in < filed;
  -- The owner is the blocker, the subject the blocked person.
  insert into change_log (xid, type, object_id, before, after)
  select filed, 'block', blocked_id,
    case when tg_op = 'DELETE' then state end, case when tg_op = 'INSERT' then state end
  from changed cross join lateral (
    select row(blocker_id, null, null, null, blocked_id, null)::change_state as state) s
  order by blocker_id, blocked_id;
  return null;
end
$$;

create or replace function log_block_moves() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  concerned uuid[] := array(
    select blocker_id from changed_from union select blocked_id from changed_from
    union select blocker_id from changed_to union select blocked_id from changed_to order by 1);
  filed xid8;
begin
  -- Waits for those who write blocks of these people, whose blocks the next statement then sees.
  perform from hidden_people where viewer_id = any(concerned) order by viewer_id for update;
  with written as (
    insert into hidden_people (viewer_id, blocked, blocked_by)
    select id, array(select blocked_id from blocks where blocker_id = id),
      array(select blocker_id from blocks where blocked_id = id)
    from unnest(concerned) as id order by id
    on conflict (viewer_id) do update set blocked = excluded.blocked, blocked_by = excluded.blocked_by
    returning changed_in
  )
  select max(changed_in) into filed from written;
  update hidden_people set changed_in = filed where viewer_id = any(concerned) and changed_in < filed;
  insert into change_log (xid, type, object_id, before)
  select filed, 'block', blocked_id, row(blocker_id, null, null, null, blocked_id, null)::change_state
  from changed_from order by blocker_id, blocked_id;
  insert into change_log (xid, type, object_id, after)
  select filed, 'block', blocked_id, row(blocker_id, null, null, null, blocked_id, null)::change_state
  from changed_to order by blocker_id, blocked_id;
  return null;
end
$$;

-- Notifications -------------------------------------------------------------------------------------------------------

create or replace function read_message_notification() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  with written as (
    update notifications set read_at = date_trunc('milliseconds', now())
    where user_id = new.user_id and kind = 'MESSAGE' and subject_id = new.conversation_id and read_at is null
    returning changed_in, id, user_id
  )
  insert into change_log (xid, type, object_id, before, after)
  select changed_in, 'notification', id, row(user_id, 'UNREAD', null, null, null, null)::change_state,
    row(user_id, 'READ', null, null, null, null)::change_state
  from written;
  return null;
end
$$;

create or replace function log_notification_update() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (xid, type, object_id, before, after)
  values (new.changed_in, 'notification', new.id,
    row(new.user_id, case when old.read_at is null then 'UNREAD' else 'READ' end, null, null, null, null)::change_state,
    row(new.user_id, case when new.read_at is null then 'UNREAD' else 'READ' end,
      null, null, null, null)::change_state);
  return null;
end
$$;

create or replace function write_notifications_of_outbox(batch integer) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  taken bigint[];
  groups notification_group[];
  ringing uuid[];
begin
  taken := array(select id from outbox where kind not in ('EVENT_CHANGED', 'EVENT_CANCELLED') order by id limit batch)
    || array(select id from outbox where kind in ('EVENT_CHANGED', 'EVENT_CANCELLED') order by id limit 1);
  if cardinality(taken) = 0 then
    return 0;
  end if;
  groups := array(select g from notification_groups(taken, batch) as g);
  while cardinality(groups) > 0 loop
    with written as (
      insert into notifications (id, user_id, kind, subject_type, subject_id, actor_id, actors, actor_count, text)
      select uuid_v7(), g.user_id, g.kind, g.subject_type, g.subject_id, g.actors[1], g.actors[1:20],
        cardinality(g.actors), notification_text(g.kind, g.actor_name, cardinality(g.actors) - 1, g.subject)
      from unnest(groups) as g order by g.user_id, g.kind, g.subject_id
      on conflict (user_id, kind, subject_id) where read_at is null do nothing
      returning id, user_id, kind, subject_id
    ), logged as (
      insert into change_log (type, object_id, before, after)
      select 'notification', id, null, row(user_id, 'UNREAD', null, null, null, null)::change_state from written
    )
    select array(
        select g from unnest(groups) as g
        where (g.user_id, g.kind, g.subject_id) not in (select user_id, kind, subject_id from written)),
      array(select id from written)
    into groups, ringing;
    perform queue_pushes(ringing);
    exit when cardinality(groups) = 0;

    with written as (
      update notifications n set
        actor_id = g.actors[1],
        actors = (g.actors || array(
          select a from unnest(n.actors) with ordinality as x (a, place) where a <> all (g.actors)
          order by place))[1:20],
        actor_count = n.actor_count + count_others(g.actors, n.actors),
        text = notification_text(
          g.kind, g.actor_name, n.actor_count + count_others(g.actors, n.actors) - 1, g.subject),
        -- At most once a minute: otherwise each reaction to a popular subject would add an entry to each index.
        created_at = case
          when now() < n.created_at + interval '1 minute' then n.created_at
          else date_trunc('milliseconds', now())
        end
      from unnest(groups) as g
      where n.user_id = g.user_id and n.kind = g.kind and n.subject_id = g.subject_id and n.read_at is null
        and (g.kind not in ('LIKE', 'RATING', 'RSVP') or not g.actors <@ n.actors)
      returning n.changed_in, n.id, n.user_id, n.kind
    ), logged as (
      insert into change_log (xid, type, object_id, before, after)
      select changed_in, 'notification', id, row(user_id, 'UNREAD', null, null, null, null)::change_state,
        row(user_id, 'UNREAD', null, null, null, null)::change_state
      from written
    )
    -- Another reaction to the same subject makes no device ring again.
    select array(select id from written where kind not in ('LIKE', 'RATING', 'RSVP')) into ringing;
    perform queue_pushes(ringing);
    -- A notification that was read meanwhile is followed by a new one.
    groups := array(
      select g from unnest(groups) as g where not exists (
        select from notifications n
        where n.user_id = g.user_id and n.kind = g.kind and n.subject_id = g.subject_id and n.read_at is null));
  end loop;

  with more as (
    update outbox n set notified_up_to = guest.user_id
    from outbox e, lateral (
      select user_id from event_rsvps
      where event_id = e.subject_id and (e.notified_up_to is null or user_id > e.notified_up_to)
      order by user_id offset batch - 1 limit 1
    ) as guest
    where n.id = e.id and e.id = any(taken) and e.kind in ('EVENT_CHANGED', 'EVENT_CANCELLED')
    returning n.id
  )
  delete from outbox where id = any(taken) and id not in (select id from more);
  return cardinality(taken);
end
$$;

-- Counters ------------------------------------------------------------------------------------------------------------

create or replace function recount(kind text, id uuid, repair boolean)
  returns table (object uuid, counter text, stored bigint, counted bigint)
  language plpgsql security definer rows 1
  set search_path = public, pg_temp
as $$
declare
  drift record;
begin
  case kind
  when 'thought' then perform from thoughts t where t.id = recount.id for no key update;
  when 'event' then perform from events e where e.id = recount.id for no key update;
  -- A message gets its number under this lock.
  when 'conversation' then perform from conversations c where c.id = recount.id for no key update;
  end case;
  for drift in select * from counter_drift(kind, array[id]) loop
    if repair then
      case kind
      when 'thought' then
        execute format(
          'update thoughts set %I = $1, changed_in = greatest(changed_in, pg_current_xact_id()) where id = $2',
          drift.counter) using drift.counted, id;
        insert into change_log (xid, type, object_id, before, after, counters_only)
        select t.changed_in, 'thought', t.id, s.state, s.state, true from thoughts t cross join lateral (
          select row(t.author_id, t.status, t.category, null, null, null)::change_state as state) s
        where t.id = recount.id;
      when 'event' then
        execute format(
          'update events set %I = $1, changed_in = greatest(changed_in, pg_current_xact_id()) where id = $2',
          drift.counter) using drift.counted, id;
        insert into change_log (xid, type, object_id, before, after, counters_only)
        select e.changed_in, 'event', e.id, s.state, s.state, true from events e cross join lateral (
          select row(e.author_id, null, null, e.starts_at, null, null)::change_state as state) s
        where e.id = recount.id;
      when 'conversation' then
        if drift.counter = 'last_number' then
          update conversations c set last_number = drift.counted where c.id = recount.id;
        else
          update conversation_members p set newest_from_others = drift.counted
          where p.conversation_id = recount.id and 'newest_from_others of ' || p.place = drift.counter;
        end if;
      end case;
    end if;
    object := drift.object;
    counter := drift.counter;
    stored := drift.stored;
    counted := drift.counted;
    return next;
  end loop;
end
$$;

reset role;
set local role tertulia_owner;

create or replace function notify_of_moderation(
    recipient uuid, decision text, about_type text, about uuid, why text, sentence text) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  written uuid;
  is_new boolean;
  filed xid8;
begin
  insert into notifications as n (id, user_id, kind, subject_type, subject_id, actors, actor_count, text, reason)
  select uuid_v7(), id, decision, about_type, about, '{}', 0, sentence, why from users
  where id = recipient and not exists (select from deleted_accounts where user_id = recipient)
  on conflict (user_id, kind, subject_id) where read_at is null
    do update set text = excluded.text, reason = excluded.reason, created_at = excluded.created_at
  -- A row that was just inserted has no xmax.
  returning n.id, n.xmax = 0, n.changed_in into written, is_new, filed;
  if written is null then
    return;
  end if;
  insert into change_log (xid, type, object_id, before, after)
  values (filed, 'notification', written,
    case when not is_new then row(recipient, 'UNREAD', null, null, null, null)::change_state end,
    row(recipient, 'UNREAD', null, null, null, null)::change_state);
  perform queue_pushes(array[written]);
end
$$;

-- The numbers of another cluster mean nothing here, and may be higher than those to come. The tables are rewritten,
-- which fires no trigger.
create or replace function adopt_change_log() returns boolean
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  logged text;
begin
  set local role tertulia_owner;
  lock table change_log_origin in exclusive mode;
  if not change_log_is_foreign() then
    return false;
  end if;
  perform pg_advisory_xact_lock(1852143475);
  lock table comments, change_log in access exclusive mode;
  set local role tertulia_trigger;
  while enqueue_comments('18446744073709551615', 10000) > 0 loop
  end loop;
  update outbox_position set xid = pg_snapshot_xmin(pg_current_snapshot()), id = 0;
  set local role tertulia_owner;
  truncate change_log, change_log_floor, deleted_objects, thought_ranks, thought_ranks_position;
  foreach logged in array array['thoughts', 'events', 'comments', 'conversations', 'conversation_members', 'messages',
    'notifications', 'hidden_people']
  loop
    execute format('alter table %I alter column changed_in type xid8 using pg_current_xact_id()', logged);
  end loop;
  delete from change_log_origin;
  insert into change_log_origin
  select s.system_identifier, d.oid from pg_control_system() s, pg_database d where d.datname = current_database();
  set local role tertulia_worker;
  insert into thought_ranks_position (xid, id) values (pg_snapshot_xmin(pg_current_snapshot()), 0);
  insert into thought_ranks (thought_id, kind, rank)
  select id, kind, rank from thoughts t cross join lateral (values
    ('MOST_LIKED', t.like_count), ('MOST_DISCUSSED', t.comment_count),
    ('BEST_RATED', 1000 * (t.rating_total + 15) / (t.rating_count + 5))
  ) as ranks (kind, rank) where status = 'PUBLISHED';
  return true;
end
$$;

reset role;
