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
create index comments_of_author on comments (author_id);

alter table comments enable row level security;
alter table comments force row level security;
-- A comment is seen by who sees its subject, under the rules for thoughts and events. A scalar sub-select is an index
-- look-up a row; `exists` could be planned as a hash of the whole table.
create policy visible on comments for select to tertulia_server using (
    (thought_id is not null and (select true from thoughts t where t.id = thought_id))
    or (event_id is not null and (select true from events e where e.id = event_id)));
create policy create_own on comments for insert to tertulia_server
  with check (
    author_id = (select viewer_id()) and (select viewer_is_member()) and (
      (thought_id is not null and (select true from thoughts t where t.id = thought_id))
      or (event_id is not null and (select true from events e where e.id = event_id))));
create policy update_own on comments for update to tertulia_server
  using (author_id = (select viewer_id())) with check (author_id = (select viewer_id()));
create policy delete_own on comments for delete to tertulia_server
  using (author_id = (select viewer_id()) or (select viewer_is_moderator()));
grant select, delete on comments to tertulia_server;
grant insert (id, author_id, thought_id, event_id, text) on comments to tertulia_server;
grant update (text, edited_at) on comments to tertulia_server;

-- Called for the subjects in the order of their ids, so that two statements never wait for each other in a circle.
create function add_to_comment_count(thought uuid, event uuid, step integer) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  if thought is not null then
    with counted as (
      update thoughts set comment_count = comment_count + step where id = thought
      returning id, row(author_id, status, category, null, null)::change_state as state
    )
    insert into change_log (type, object_id, before, after, counters_only)
    select 'thought', id, state, state, true from counted;
  else
    with counted as (
      update events set comment_count = comment_count + step where id = event
      returning id, row(author_id, null, null, starts_at, null)::change_state as state
    )
    insert into change_log (type, object_id, before, after, counters_only)
    select 'event', id, state, state, true from counted;
  end if;
end
$$;

create function log_comment_changes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    insert into change_log (type, object_id, after)
    select 'comment', id, row(author_id, null, null, null, coalesce(thought_id, event_id))::change_state
    from changed_to order by id;
    perform add_to_comment_count(thought_id, event_id, n) from (
      select thought_id, event_id, count(*)::integer as n from changed_to group by 1, 2 order by 1, 2
    ) as subjects;
  elsif tg_op = 'UPDATE' then
    insert into change_log (type, object_id, before, after)
    select 'comment', id, row(o.author_id, null, null, null, coalesce(o.thought_id, o.event_id))::change_state,
      row(n.author_id, null, null, null, coalesce(n.thought_id, n.event_id))::change_state
    from changed_to n join changed_from o using (id) order by id;
  else
    insert into change_log (type, object_id, before)
    select 'comment', id, row(author_id, null, null, null, coalesce(thought_id, event_id))::change_state
    from changed_from order by id;
    perform add_to_comment_count(thought_id, event_id, -n) from (
      select thought_id, event_id, count(*)::integer as n from changed_from group by 1, 2 order by 1, 2
    ) as subjects;
  end if;
  return null;
end
$$;
create trigger log_insert after insert on comments
  referencing new table as changed_to for each statement execute function log_comment_changes();
create trigger log_update after update on comments
  referencing old table as changed_from new table as changed_to for each statement execute function log_comment_changes();
create trigger log_delete after delete on comments
  referencing old table as changed_from for each statement execute function log_comment_changes();

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
grant execute on function lock_subject(uuid, uuid) to tertulia_server;

-- An account's deletion changes the counters of all that it liked, commented on or came to: these are locked first, in
-- the order of their ids, as single mutations lock them. A table whose rows are counted belongs into this list.
create function lock_before_user_deletion() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform from thoughts where id in (
    select id from thoughts where author_id = old.id
    union select thought_id from thought_likes where user_id = old.id
    union select thought_id from thought_saves where user_id = old.id
    union select thought_id from thought_ratings where user_id = old.id
    union select thought_id from comments where author_id = old.id
  ) order by id for update;
  perform from events where id in (
    select id from events where author_id = old.id
    union select event_id from event_rsvps where user_id = old.id
    union select event_id from comments where author_id = old.id
  ) order by id for update;
  return old;
end
$$;
create trigger lock_delete before delete on users for each row execute function lock_before_user_deletion();

create policy locks on thought_likes for select to tertulia_trigger using (true);
create policy locks on thought_saves for select to tertulia_trigger using (true);
create policy locks on thought_ratings for select to tertulia_trigger using (true);
create policy locks on event_rsvps for select to tertulia_trigger using (true);
create policy locks on comments for select to tertulia_trigger using (true);
grant select on thought_likes, thought_saves, thought_ratings, event_rsvps, comments to tertulia_trigger;

reset role;
alter function lock_subject(uuid, uuid) owner to tertulia_trigger;
alter function lock_before_user_deletion() owner to tertulia_trigger;
alter function add_to_comment_count(uuid, uuid, integer) owner to tertulia_trigger;
alter function log_comment_changes() owner to tertulia_trigger;
