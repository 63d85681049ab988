set local role tertulia_owner;

create table comments (
  id uuid primary key,
  author_id uuid not null references users on delete cascade,
  thought_id uuid references thoughts on delete cascade,
  event_id uuid references events on delete cascade,
  text text not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  edited_at timestamptz,
  constraint comments_one_subject check (num_nonnulls(thought_id, event_id) = 1)
);
create index comments_of_thought on comments (thought_id, created_at, id) where thought_id is not null;
create index comments_of_event on comments (event_id, created_at, id) where event_id is not null;
-- The index includes the subject, so that an index-only scan counts the comments of deleted accounts.
create index comments_of_author on comments (author_id, thought_id, event_id);

alter table comments enable row level security, force row level security;
-- A viewer sees a comment if the policies of thoughts and events show its subject. A scalar sub-select is planned as an
-- index look-up for each row; `exists` could be planned as a hash of the whole table.
create policy visible on comments for select to tertulia_server using (
    (thought_id is not null and (select true from thoughts t where t.id = thought_id))
    or (event_id is not null and (select true from events e where e.id = event_id)));
create policy create_own on comments for insert to tertulia_server
  with check (
    author_id = (select viewer_id()) and (select viewer_is_member()) and (
      (thought_id is not null and (select true from thoughts t where t.id = thought_id))
      or (event_id is not null and event_is_visible(event_id))));
create policy update_own on comments for update to tertulia_server
  using (author_id = (select viewer_id())) with check (author_id = (select viewer_id()));
create policy delete_own on comments for delete to tertulia_server
  using (author_id = (select viewer_id()) or (select viewer_is_moderator()));
create policy not_hidden on comments as restrictive for select to tertulia_server
  using (coalesce(author_id <> all ((select listed_hidden_ids())::uuid[]), not viewer_hides(author_id)));
create policy not_deleted on comments as restrictive for select to tertulia_server
  using (not exists (select from deleted_accounts) or not is_being_deleted(author_id));
create policy accounts on comments to tertulia_worker using (true);
create policy locks on comments for select to tertulia_trigger using (true);
create policy moderation on comments for delete to tertulia_trigger using (true);

grant select, delete on comments to tertulia_server, tertulia_worker, tertulia_trigger;
grant insert (id, author_id, thought_id, event_id, text) on comments to tertulia_server;
grant update (text, edited_at) on comments to tertulia_server;

create trigger refuse_suspended before insert or update or delete on comments
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();

-- A request adds one comment, so a row trigger costs less than a statement trigger. One row of the log stands for both
-- the new comment and the change of its subject's counter. enqueue_comments copies the comment from this row to the
-- outbox.
create function count_comment() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if new.thought_id is not null then
    with subject as (
      update thoughts set comment_count = comment_count + 1 where id = new.thought_id
      returning row(author_id, status, category, null, null, null)::change_state as state
    )
    insert into change_log (type, object_id, after, counted)
    select 'comment', new.id, row(new.author_id, null, null, null, new.thought_id, null)::change_state, state
    from subject;
  else
    with subject as (
      update events set comment_count = comment_count + 1 where id = new.event_id
      returning row(author_id, null, null, starts_at, null, null)::change_state as state
    )
    insert into change_log (type, object_id, after, counted)
    select 'comment', new.id, row(new.author_id, null, null, null, new.event_id, null)::change_state, state
    from subject;
  end if;
  return null;
end
$$;

create function add_to_comment_count(thought uuid, event uuid, step integer) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  if thought is not null then
    with counted as (
      update thoughts set comment_count = comment_count + step where id = thought
      returning id, row(author_id, status, category, null, null, null)::change_state as state
    )
    insert into change_log (type, object_id, before, after, counters_only)
    select 'thought', id, state, state, true from counted;
  else
    with counted as (
      update events set comment_count = comment_count + step where id = event
      returning id, row(author_id, null, null, starts_at, null, null)::change_state as state
    )
    insert into change_log (type, object_id, before, after, counters_only)
    select 'event', id, state, state, true from counted;
  end if;
end
$$;

-- A statement deletes either one comment, or the comments of a deleted subject or author. The subjects of many comments
-- are updated in the order of their ids, so that two statements do not deadlock.
create function count_removed_comments() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  one record;
  comment change_state;
begin
  select *, count(*) over () as rows into one from changed;
  if one.rows = 1 then
    comment := row(one.author_id, null, null, null, coalesce(one.thought_id, one.event_id), null);
    if one.thought_id is not null then
      with counted as (
        update thoughts set comment_count = comment_count - 1 where id = one.thought_id
        returning id, row(author_id, status, category, null, null, null)::change_state as state
      )
      insert into change_log (type, object_id, before, after, counters_only)
      select 'comment', one.id, comment, null, false
      union all
      select 'thought', id, state, state, true from counted;
    else
      with counted as (
        update events set comment_count = comment_count - 1 where id = one.event_id
        returning id, row(author_id, null, null, starts_at, null, null)::change_state as state
      )
      insert into change_log (type, object_id, before, after, counters_only)
      select 'comment', one.id, comment, null, false
      union all
      select 'event', id, state, state, true from counted;
    end if;
  elsif one.rows > 1 then
    insert into change_log (type, object_id, before)
    select 'comment', id, row(author_id, null, null, null, coalesce(thought_id, event_id), null)::change_state
    from changed order by id;
    perform add_to_comment_count(thought_id, event_id, -n) from (
      select thought_id, event_id, count(*)::integer as n from changed group by 1, 2 order by 1, 2
    ) as subjects;
  end if;
  return null;
end
$$;
create trigger count_insert after insert on comments for each row execute function count_comment();
create trigger count_delete after delete on comments
  referencing old table as changed for each statement execute function count_removed_comments();

create function log_comment_update() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, before, after)
  values ('comment', new.id,
    row(old.author_id, null, null, null, coalesce(old.thought_id, old.event_id), null)::change_state,
    row(new.author_id, null, null, null, coalesce(new.thought_id, new.event_id), null)::change_state);
  return null;
end
$$;
create trigger log_update after update on comments for each row execute function log_comment_update();

-- Locks the thought or the event of a comment before the comment is deleted.
create function lock_subject(thought uuid, event uuid) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if thought is not null then
    return lock_thought(thought);
  end if;
  return lock_event(event);
end
$$;

-- The comments on a thought or an event, for subscribers from whom these comments have just been hidden or to whom they
-- have just been shown. A null author selects the comments of all accounts.
create function comments_on_subject(subject uuid, author uuid, most bigint) returns table (id uuid, author_id uuid)
  language plpgsql stable security definer rows 100
  set search_path = public, pg_temp
as $$
begin
  return query select c.id, c.author_id from comments c
    where (c.thought_id = subject or c.event_id = subject) and (author is null or c.author_id = author) limit most;
end
$$;

grant execute on function lock_subject(uuid, uuid) to tertulia_server;
grant execute on function comments_on_subject(uuid, uuid, bigint) to tertulia_worker;

reset role;
alter function count_comment() owner to tertulia_trigger;
alter function add_to_comment_count(uuid, uuid, integer) owner to tertulia_trigger;
alter function count_removed_comments() owner to tertulia_trigger;
alter function log_comment_update() owner to tertulia_trigger;
alter function lock_subject(uuid, uuid) owner to tertulia_trigger;
alter function comments_on_subject(uuid, uuid, bigint) owner to tertulia_trigger;
