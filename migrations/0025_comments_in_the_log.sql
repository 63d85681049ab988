-- The deletion of a comment is filed no lower than the comment's last edit. The thought or event that the comment was
-- on is now filed no lower than the deletion, and so is an object that is given the id of a thought or event which was
-- deleted with its comments. Before, a transaction that had begun before the edit could delete the comment with its
-- thought and make another thought with the same id, whose rows then stood before the deletion of the comment.
--
-- Clients choose ids, so a thought and an event may have one UUID. The `category` in the rows of the log about a
-- comment is now the kind of the comment's subject, 'thought' or 'event'.
--
-- Servers of the release before call comments_on_subject. It may be dropped a release later.
set local role tertulia_owner;

-- Waits for the statements that run add_to_comment_count as it was.
lock table comments in share row exclusive mode;

set local role tertulia_trigger;

drop function add_to_comment_count(uuid, uuid, integer);

-- The subject is filed no lower than `newest`, the highest number under which one of the comments is filed.
create function add_to_comment_count(thought uuid, event uuid, step integer, newest xid8) returns xid8
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  filed xid8;
begin
  if thought is not null then
    with counted as (
      update thoughts set comment_count = comment_count + step,
        changed_in = greatest(changed_in, newest, pg_current_xact_id())
      where id = thought
      returning changed_in, id, row(author_id, status, category, null, null, null)::change_state as state
    )
    insert into change_log (xid, type, object_id, before, after, counters_only)
    select changed_in, 'thought', id, state, state, true from counted
    returning xid into filed;
  else
    with counted as (
      update events set comment_count = comment_count + step,
        changed_in = greatest(changed_in, newest, pg_current_xact_id())
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
revoke execute on function add_to_comment_count(uuid, uuid, integer, xid8) from public;

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
      add_to_comment_count(new.thought_id, new.event_id, 1,
        (select changed_in from deleted_objects where id = new.id)),
      'comment', new.id,
      row(new.author_id, null, case when new.thought_id is null then 'event' else 'thought' end, null,
        coalesce(new.thought_id, new.event_id), null)::change_state)
    returning xid into filed;
  elsif new.thought_id is not null then
    with subject as (
      update thoughts set comment_count = comment_count + 1, changed_in = greatest(
        changed_in, pg_current_xact_id(), (select d.changed_in from deleted_objects d where d.id = new.id))
      where id = new.thought_id
      returning changed_in, row(author_id, status, category, null, null, null)::change_state as state
    )
    insert into change_log (xid, type, object_id, after, counted)
    select changed_in, 'comment', new.id, row(new.author_id, null, 'thought', null, new.thought_id, null)::change_state,
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
    select changed_in, 'comment', new.id, row(new.author_id, null, 'event', null, new.event_id, null)::change_state,
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

create or replace function log_comment_update() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  kind constant text := case when new.thought_id is null then 'event' else 'thought' end;
  subject constant uuid := coalesce(new.thought_id, new.event_id);
begin
  insert into change_log (xid, type, object_id, before, after)
  values (new.changed_in, 'comment', new.id, row(old.author_id, null, kind, null, subject, null)::change_state,
    row(new.author_id, null, kind, null, subject, null)::change_state);
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
  -- The number under which the subject's id was last deleted; null if it was not.
  subject_deleted xid8;
begin
  select *, count(*) over () as rows into one from changed;
  select changed_in into subject_deleted from deleted_objects where id = coalesce(one.thought_id, one.event_id);
  -- Subjects that are deleted with their comments have been entered in deleted_objects, without regard to the comments.
  -- Their numbers are raised to those of the comments.
  if one.rows > 1 or subject_deleted < one.changed_in then
    update deleted_objects d set changed_in = c.newest from (
      select thought_id, event_id, max(changed_in) as newest from changed group by 1, 2
    ) as c
    where d.id = coalesce(c.thought_id, c.event_id) and d.changed_in < c.newest
      and not exists (select from thoughts where id = c.thought_id)
      and not exists (select from events where id = c.event_id);
  end if;
  if one.rows = 1 then
    comment := row(one.author_id, null, case when one.thought_id is null then 'event' else 'thought' end, null,
      coalesce(one.thought_id, one.event_id), null);
    if one.thought_id is not null then
      with counted as (
        update thoughts set comment_count = comment_count - 1,
          changed_in = greatest(changed_in, one.changed_in, pg_current_xact_id())
        where id = one.thought_id
        returning changed_in, id, row(author_id, status, category, null, null, null)::change_state as state
      ), deleted as (
        insert into deleted_objects as d
        values (one.id, greatest(
          one.changed_in, pg_current_xact_id(), coalesce((select changed_in from counted), subject_deleted)))
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
          changed_in = greatest(changed_in, one.changed_in, pg_current_xact_id())
        where id = one.event_id
        returning changed_in, id, row(author_id, null, null, starts_at, null, null)::change_state as state
      ), deleted as (
        insert into deleted_objects as d
        values (one.id, greatest(
          one.changed_in, pg_current_xact_id(), coalesce((select changed_in from counted), subject_deleted)))
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
      select thought_id, event_id, add_to_comment_count(thought_id, event_id, -n, newest) as filed from (
        select thought_id, event_id, count(*)::integer as n, max(changed_in) as newest
        from changed group by 1, 2 order by 1, 2
      ) as counts
    ), deleted as (
      insert into deleted_objects as d
      select c.id, greatest(c.changed_in, pg_current_xact_id(), coalesce(s.filed, (
        select d.changed_in from deleted_objects d where d.id = coalesce(c.thought_id, c.event_id))))
      from changed c join subjects s
        on coalesce(c.thought_id, c.event_id) = coalesce(s.thought_id, s.event_id)
          and (c.thought_id is null) = (s.thought_id is null)
      order by c.id
      on conflict (id) do update set changed_in = greatest(d.changed_in, excluded.changed_in)
      returning id, changed_in
    )
    insert into change_log (xid, type, object_id, before)
    select d.changed_in, 'comment', c.id,
      row(c.author_id, null, case when c.thought_id is null then 'event' else 'thought' end, null,
        coalesce(c.thought_id, c.event_id), null)::change_state
    from changed c join deleted d using (id) order by c.id;
  end if;
  return null;
end
$$;

reset role;
