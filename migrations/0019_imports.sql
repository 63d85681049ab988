set local role tertulia_owner;

-- Objects that came from another service, by the ids that they had there. A row stays when its object is deleted, so
-- that an import that is repeated does not bring the object back.
create table imported_objects (
  -- The name that the operator gave to the app or project that the object came from.
  source text not null,
  kind text not null,
  -- The id of an account; the path of a document.
  old_id text not null,
  object_id uuid not null,
  primary key (source, kind, old_id)
);
create index on imported_objects (old_id);
alter table imported_objects enable row level security, force row level security;

-- An old id leads to an object, and the policies of the object's table decide who sees that.
create policy everyone on imported_objects for select to tertulia_server using (true);
create policy resets on imported_objects for select to tertulia_worker using (true);

grant select on imported_objects to tertulia_server, tertulia_worker;

reset role;

-- An import sets app.import to 'on' for its transactions: their rows are counted and logged as all others, and nobody is
-- notified of them.
set local role tertulia_trigger;

create or replace function enqueue_thought_mark() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if current_setting('app.import', true) = 'on' then
    return null;
  end if;
  insert into outbox (kind, subject_type, subject_id, actor_id)
  values (tg_argv[0], 'thought', new.thought_id, new.user_id);
  return null;
end
$$;

create or replace function enqueue_rsvp() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if current_setting('app.import', true) = 'on' then
    return null;
  end if;
  insert into outbox (kind, subject_type, subject_id, actor_id) values ('RSVP', 'event', new.event_id, new.user_id);
  return null;
end
$$;

-- A request adds one comment, so a row trigger costs less than a statement trigger. One row of the log stands for both
-- the new comment and the change of its subject's counter. enqueue_comments copies the comment from this row to the
-- outbox; an import writes two rows, which enqueue_comments passes over.
create or replace function count_comment() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if current_setting('app.import', true) = 'on' then
    insert into change_log (type, object_id, after)
    values ('comment', new.id,
      row(new.author_id, null, null, null, coalesce(new.thought_id, new.event_id), null)::change_state);
    perform add_to_comment_count(new.thought_id, new.event_id, 1);
  elsif new.thought_id is not null then
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

-- Signing up is rare, and its figure exact: it is marked in its own transaction. An imported account signed up elsewhere.
create or replace function mark_sign_up() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if current_setting('app.import', true) = 'on' then
    return null;
  end if;
  insert into activity_marks values (date_trunc('hour', now()), 'SIGN_UP', new.user_id) on conflict do nothing;
  return null;
end
$$;

reset role;
