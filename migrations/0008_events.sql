set local role tertulia_owner;

create table events (
  id uuid primary key,
  author_id uuid not null references users on delete cascade,
  name text not null,
  description text not null,
  location text,
  image_id uuid references images on delete set null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  time_zone text,
  cancelled_at timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  updated_at timestamptz not null default date_trunc('milliseconds', now()),
  interested_count integer not null default 0,
  going_count integer not null default 0,
  comment_count integer not null default 0,
  check (ends_at >= starts_at)
) with (fillfactor = 85);
create index events_chronological on events (starts_at, id);
create index events_newest on events (created_at desc, id desc);
create index events_of_image on events (image_id) where image_id is not null;
create index events_of_author on events (author_id, starts_at, id);

-- The user's foreign key is made, and so checked, before the event's: whatever deletes an account locks it first, too.
create table event_rsvps (
  event_id uuid not null,
  user_id uuid not null references users on delete cascade,
  status text not null check (status in ('INTERESTED', 'GOING')),
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (event_id, user_id),
  foreign key (event_id) references events on delete cascade
);
create index on event_rsvps (user_id, created_at desc, event_id desc);
create index on event_rsvps (event_id, created_at, user_id);

alter table events enable row level security, force row level security;
alter table event_rsvps enable row level security, force row level security;

create policy everyone on events for select to tertulia_server using (true);
create policy create_own on events for insert to tertulia_server
  with check (author_id = (select viewer_id()) and (select viewer_is_member()));
create policy update_own on events for update to tertulia_server
  using (author_id = (select viewer_id())) with check (author_id = (select viewer_id()));
create policy delete_own on events for delete to tertulia_server
  using (author_id = (select viewer_id()) or (select viewer_is_moderator()));
create policy not_hidden on events as restrictive for select to tertulia_server
  using (coalesce(author_id <> all ((select listed_hidden_ids())::uuid[]), not viewer_hides(author_id)));
create policy not_deleted on events as restrictive for select to tertulia_server
  using (not exists (select from deleted_accounts) or not is_being_deleted(author_id));
create policy accounts on events to tertulia_worker using (true);
create policy counters on events to tertulia_trigger using (true);
-- Everyone sees who comes to an event; a row says no more than that.
create policy everyone on event_rsvps for select to tertulia_server using (true);
create policy create_own on event_rsvps for insert to tertulia_server
  with check (user_id = (select viewer_id()) and exists (select from events e where e.id = event_id));
create policy update_own on event_rsvps for update to tertulia_server using (user_id = (select viewer_id()));
create policy delete_own on event_rsvps for delete to tertulia_server using (user_id = (select viewer_id()));
create policy not_hidden on event_rsvps as restrictive for select to tertulia_server
  using (coalesce(user_id <> all ((select listed_hidden_ids())::uuid[]), not viewer_hides(user_id)));
create policy not_deleted on event_rsvps as restrictive for select to tertulia_server
  using (not exists (select from deleted_accounts) or not is_being_deleted(user_id));
create policy accounts on event_rsvps to tertulia_worker using (true);
create policy locks on event_rsvps for select to tertulia_trigger using (true);

-- Whether the policies show the event. For policies where a row seldom needs it: PostgreSQL prepares a sub-select, with
-- those of the policies within, in every execution. Runs with the search_path of its caller, as setting it costs as much.
create function event_is_visible(event uuid) returns boolean
  language plpgsql stable parallel safe
as $$
begin
  return exists (select from events where id = event);
end
$$;

grant select, delete on events to tertulia_server, tertulia_worker, tertulia_trigger;
grant insert (id, author_id, name, description, location, image_id, starts_at, ends_at, time_zone) on events to
  tertulia_server;
grant update (name, description, location, image_id, starts_at, ends_at, time_zone, cancelled_at, updated_at) on events
  to tertulia_server;
grant update (image_id) on events to tertulia_worker;
grant update (interested_count, going_count, comment_count) on events to tertulia_trigger;
grant select, delete on event_rsvps to tertulia_server, tertulia_worker;
grant execute on function event_is_visible(uuid) to tertulia_server;
grant insert (event_id, user_id, status) on event_rsvps to tertulia_server;
grant update (status) on event_rsvps to tertulia_server;
grant update (user_id) on event_rsvps to tertulia_worker;
grant select on event_rsvps to tertulia_trigger;

create trigger refuse_suspended before insert or update or delete on events
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();
create trigger refuse_suspended before insert or update or delete on event_rsvps
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();

-- Whether a time zone has this IANA name; null counts as one. PostgreSQL takes abbreviations and POSIX specifications,
-- too, and pg_timezone_names reads the whole directory of zones: a name of the form Area/Location is decided without
-- it.
create function time_zone_exists(name text) returns boolean
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return name is null
    or (now() at time zone name) is not null and (
      name = 'UTC' or name ~ '^[A-Za-z_]+(/[A-Za-z_-]+)+$'
      or exists (select from pg_timezone_names z where lower(z.name) = lower(time_zone_exists.name)));
exception
  when invalid_parameter_value then return false;
end
$$;

create function log_event_changes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    insert into change_log (type, object_id, after)
    select 'event', n.id, row(n.author_id, null, null, n.starts_at, null, null)::change_state
    from changed_to n order by n.id;
  else
    insert into change_log (type, object_id, before)
    select 'event', o.id, row(o.author_id, null, null, o.starts_at, null, null)::change_state
    from changed_from o order by o.id;
  end if;
  return null;
end
$$;

-- Counters are changed by triggers alone, which write the row of the log themselves.
create function log_event_update() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, before, after)
  values ('event', new.id, row(old.author_id, null, null, old.starts_at, null, null)::change_state,
    row(new.author_id, null, null, new.starts_at, null, null)::change_state);
  return null;
end
$$;
create trigger log_insert after insert on events
  referencing new table as changed_to for each statement execute function log_event_changes();
create trigger log_update after update on events
  for each row when (current_user <> 'tertulia_trigger') execute function log_event_update();
create trigger log_delete after delete on events
  referencing old table as changed_from for each statement execute function log_event_changes();

create trigger release_image_update after update of image_id on events for each row
  when (old.image_id is distinct from new.image_id) execute function release_image();
create trigger release_image_delete after delete on events for each row
  when (old.image_id is not null) execute function release_image();

-- As lock_thought, also for statements that change a row that an event counts.
create function lock_event(event uuid) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform from events where id = event for no key update;
  return true;
end
$$;

-- Called for several events in the order of their ids, so that two statements never wait for each other in a circle.
create function add_to_rsvp_counts(event uuid, interested integer, going integer) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  with counted as (
    update events set interested_count = interested_count + interested, going_count = going_count + going
    where id = event
    returning id, row(author_id, null, null, starts_at, null, null)::change_state as state
  )
  insert into change_log (type, object_id, before, after, counters_only)
  select 'event', id, state, state, true from counted;
end
$$;

create function count_event_rsvps() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_rsvp_counts(event_id, interested, going) from (
      select event_id, (count(*) filter (where status = 'INTERESTED'))::integer as interested,
        (count(*) filter (where status = 'GOING'))::integer as going
      from changed_to group by 1 order by 1
    ) as events;
  elsif tg_op = 'DELETE' then
    perform add_to_rsvp_counts(event_id, -interested, -going) from (
      select event_id, (count(*) filter (where status = 'INTERESTED'))::integer as interested,
        (count(*) filter (where status = 'GOING'))::integer as going
      from changed_from group by 1 order by 1
    ) as events;
  else
    perform add_to_rsvp_counts(event_id, interested, going) from (
      select event_id,
        sum((n.status = 'INTERESTED')::integer - (o.status = 'INTERESTED')::integer)::integer as interested,
        sum((n.status = 'GOING')::integer - (o.status = 'GOING')::integer)::integer as going
      from changed_to n join changed_from o using (event_id, user_id)
      where n.status <> o.status group by 1 order by 1
    ) as events;
  end if;
  return null;
end
$$;
create trigger count_insert after insert on event_rsvps
  referencing new table as changed_to for each statement execute function count_event_rsvps();
create trigger count_update after update on event_rsvps
  referencing old table as changed_from new table as changed_to for each statement execute function count_event_rsvps();
create trigger count_delete after delete on event_rsvps
  referencing old table as changed_from for each statement execute function count_event_rsvps();

-- What accounts that are being removed did to an event, which its stored counters still count: those who are
-- interested, those who go, and comments, with a space between them. As gone_acts_on_thought.
create function gone_acts_on_event(event uuid) returns text
  language plpgsql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
declare
  acts bigint := (select interested_count::bigint + going_count + comment_count from events where id = event);
  gone uuid[] := array(select user_id from deleted_accounts limit acts + 1);
begin
  if cardinality(gone) > acts then
    return concat_ws(' ',
      (select concat_ws(' ', count(*) filter (where status = 'INTERESTED'), count(*) filter (where status = 'GOING'))
        from event_rsvps a where a.event_id = event
        and (select true from deleted_accounts d where d.user_id = a.user_id)),
      (select count(*) from comments a where a.event_id = event
        and (select true from deleted_accounts d where d.user_id = a.author_id)));
  end if;
  return concat_ws(' ',
    (select concat_ws(' ', count(*) filter (where status = 'INTERESTED'), count(*) filter (where status = 'GOING'))
      from event_rsvps where event_id = event and user_id = any(gone)),
    (select count(*) from comments where event_id = event and author_id = any(gone)));
end
$$;

grant execute on function time_zone_exists(text), gone_acts_on_event(uuid) to tertulia_server;
grant execute on function lock_event(uuid) to tertulia_server, tertulia_worker;

reset role;
alter function log_event_changes() owner to tertulia_trigger;
alter function log_event_update() owner to tertulia_trigger;
alter function lock_event(uuid) owner to tertulia_trigger;
alter function add_to_rsvp_counts(uuid, integer, integer) owner to tertulia_trigger;
alter function count_event_rsvps() owner to tertulia_trigger;
alter function gone_acts_on_event(uuid) owner to tertulia_trigger;
