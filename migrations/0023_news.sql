set local role tertulia_owner;

-- What happened that somebody is to hear of, until a notification tells it. The act writes one short row; notifications
-- are made a moment later, many at a time: within the act they took PostgreSQL longer than the act itself.
create table news (
  id bigint generated always as identity primary key,
  kind text not null,
  subject_type text not null,
  subject_id uuid not null,
  actor_id uuid not null,
  -- Of an event's many guests, those up to this one were told.
  told_up_to uuid
);
alter table news enable row level security;
alter table news force row level security;
create policy tell on news to tertulia_trigger using (true) with check (true);
grant select, insert, update, delete on news to tertulia_trigger;

-- What one recipient hears of one subject at once.
create type news_group as (
  user_id uuid, kind text, subject_type text, subject_id uuid,
  -- The latest first, each once.
  actors uuid[],
  actor_name text, subject text
);

drop trigger notify_insert on thought_likes;
drop trigger notify_insert on thought_ratings;
drop trigger notify_insert on comments;
drop trigger notify_insert on event_rsvps;
drop trigger notify_insert on messages;
drop trigger notify_change on events;
drop trigger notify_cancellation on events;
set local role tertulia_trigger;
drop function notify_of_thought_mark();
drop function notify_of_comments();
drop function notify_of_rsvps();
drop function notify_of_messages();
drop function notify_of_event_change();
drop function notify_people(text, text, uuid, uuid, text, uuid[], text);
set local role tertulia_owner;

create function note_thought_mark() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into news (kind, subject_type, subject_id, actor_id)
  values (tg_argv[0], 'thought', new.thought_id, new.user_id);
  return null;
end
$$;
create trigger note_insert after insert on thought_likes for each row execute function note_thought_mark('LIKE');
create trigger note_insert after insert on thought_ratings for each row execute function note_thought_mark('RATING');

create function note_comment() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into news (kind, subject_type, subject_id, actor_id)
  values ('COMMENT', case when new.thought_id is null then 'event' else 'thought' end,
    coalesce(new.thought_id, new.event_id), new.author_id);
  return null;
end
$$;
create trigger note_insert after insert on comments for each row execute function note_comment();

create function note_rsvp() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into news (kind, subject_type, subject_id, actor_id) values ('RSVP', 'event', new.event_id, new.user_id);
  return null;
end
$$;
create trigger note_insert after insert on event_rsvps for each row execute function note_rsvp();

create function note_message() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into news (kind, subject_type, subject_id, actor_id)
  values ('MESSAGE', 'conversation', new.conversation_id, new.author_id);
  return null;
end
$$;
create trigger note_insert after insert on messages for each row execute function note_message();

-- What those who come need to know: the name, the times, the place, and that it does not take place.
create function note_event_change() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into news (kind, subject_type, subject_id, actor_id) values (tg_argv[0], 'event', new.id, new.author_id);
  return null;
end
$$;
create trigger note_change after update of name, starts_at, ends_at, time_zone, location on events for each row
  when (
    new.cancelled_at is null and greatest(old.ends_at, new.ends_at) > now()
    and (new.name, new.starts_at, new.ends_at, new.time_zone, new.location)
      is distinct from (old.name, old.starts_at, old.ends_at, old.time_zone, old.location))
  execute function note_event_change('EVENT_CHANGED');
create trigger note_cancellation after update of cancelled_at on events for each row
  when (old.cancelled_at is null and new.cancelled_at is not null and new.ends_at > now())
  execute function note_event_change('EVENT_CANCELLED');

-- Who hears of what, as it is now: what was taken back meanwhile is no news, nor what was read already, and nobody hears
-- of people who are blocked, either way. At most `page` guests of an event.
create function news_groups(taken bigint[], page integer) returns setof news_group
  language sql stable
begin atomic
  with acts as materialized (
    select * from news where id = any(taken)
  ), recipients as (
    select a.id, t.author_id as user_id, notification_subject(coalesce(t.title, t.text)) as subject
    from acts a join thoughts t on t.id = a.subject_id
    where a.subject_type = 'thought' and case a.kind
      when 'LIKE' then exists (select from thought_likes l where l.thought_id = t.id and l.user_id = a.actor_id)
      when 'RATING' then exists (select from thought_ratings r where r.thought_id = t.id and r.user_id = a.actor_id)
      else true end
    union all
    select a.id, e.author_id, notification_subject(e.name)
    from acts a join events e on e.id = a.subject_id
    where a.kind = 'COMMENT' and a.subject_type = 'event'
      or a.kind = 'RSVP'
        and exists (select from event_rsvps r where r.event_id = e.id and r.user_id = a.actor_id)
    union all
    select a.id, p.user_id, ''
    from acts a join conversation_members p on p.conversation_id = a.subject_id
    where a.kind = 'MESSAGE' and p.user_id is not null and p.left_at is null
      and p.last_read_number < p.newest_from_others
    union all
    select a.id, r.user_id, notification_subject(e.name)
    from acts a join events e on e.id = a.subject_id
    cross join lateral (
      select user_id from event_rsvps where event_id = e.id and (a.told_up_to is null or user_id > a.told_up_to)
      order by user_id limit page
    ) as r
    where a.kind in ('EVENT_CHANGED', 'EVENT_CANCELLED')
  ), heard as (
    select r.user_id, a.kind, a.subject_type, a.subject_id, a.actor_id, u.display_name, r.subject, max(a.id) as newest
    from recipients r join acts a on a.id = r.id join users u on u.id = a.actor_id
    where r.user_id <> a.actor_id and not exists (
      select from blocks b where b.blocker_id = r.user_id and b.blocked_id = a.actor_id
        or b.blocker_id = a.actor_id and b.blocked_id = r.user_id)
    group by 1, 2, 3, 4, 5, 6, 7
  )
  select row(user_id, kind, subject_type, subject_id, array_agg(actor_id order by newest desc),
    (array_agg(display_name order by newest desc))[1], max(subject))::news_group
  from heard group by user_id, kind, subject_type, subject_id;
end;

-- How many of these are not among those.
create function count_others(these uuid[], those uuid[]) returns integer
  language sql immutable parallel safe
  return (select count(*)::integer from unnest(these) as one where one <> all (those));

-- Makes notifications of the oldest news, up to `batch`, by one replica at a time. Twenty likes of one thought are one
-- notification until it is read; the same person again is no news. Rows in the order of their recipients.
create function tell_news(batch integer) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  taken bigint[];
  groups news_group[];
begin
  -- "news" as a number.
  if not pg_try_advisory_xact_lock(1852143475) then
    return 0;
  end if;
  taken := array(select id from news where kind not in ('EVENT_CHANGED', 'EVENT_CANCELLED') order by id limit batch)
    || array(select id from news where kind in ('EVENT_CHANGED', 'EVENT_CANCELLED') order by id limit 1);
  if cardinality(taken) = 0 then
    return 0;
  end if;
  groups := array(select g from news_groups(taken, batch) as g);
  while cardinality(groups) > 0 loop
    with told as (
      insert into notifications (id, user_id, kind, subject_type, subject_id, actor_id, actors, actor_count, text)
      select uuid_v7(), g.user_id, g.kind, g.subject_type, g.subject_id, g.actors[1], g.actors[1:20],
        cardinality(g.actors), notification_text(g.kind, g.actor_name, cardinality(g.actors) - 1, g.subject)
      from unnest(groups) as g order by g.user_id, g.kind, g.subject_id
      on conflict (user_id, kind, subject_id) where read_at is null do nothing
      returning id, user_id, kind, subject_id
    ), logged as (
      insert into change_log (type, object_id, before, after)
      select 'notification', id, null, row(user_id, 'UNREAD', null, null, null)::change_state from told
    ), queued as (
      insert into push_queue (device_id, notification_id)
      select d.id, told.id from told join push_devices d on d.user_id = told.user_id on conflict do nothing
    )
    select array(
      select g from unnest(groups) as g
      where (g.user_id, g.kind, g.subject_id) not in (select user_id, kind, subject_id from told))
    into groups;
    exit when cardinality(groups) = 0;

    with told as (
      update notifications n set
        actor_id = g.actors[1],
        actors = (g.actors || array(
          select a from unnest(n.actors) with ordinality as x (a, place) where a <> all (g.actors) order by place))[1:20],
        actor_count = n.actor_count + count_others(g.actors, n.actors),
        text = notification_text(
          g.kind, g.actor_name, n.actor_count + count_others(g.actors, n.actors) - 1, g.subject),
        -- By the minute: what many react to moves up without an entry in each index for each of them.
        created_at = case
          when now() < n.created_at + interval '1 minute' then n.created_at
          else date_trunc('milliseconds', now())
        end
      from unnest(groups) as g
      where n.user_id = g.user_id and n.kind = g.kind and n.subject_id = g.subject_id and n.read_at is null
        and (g.kind not in ('LIKE', 'RATING', 'RSVP') or not g.actors <@ n.actors)
      returning n.id, n.user_id, n.kind
    ), logged as (
      insert into change_log (type, object_id, before, after)
      select 'notification', id, row(user_id, 'UNREAD', null, null, null)::change_state,
        row(user_id, 'UNREAD', null, null, null)::change_state
      from told
    )
    -- A reaction more to the same makes no device ring again.
    insert into push_queue (device_id, notification_id)
    select d.id, told.id from told join push_devices d on d.user_id = told.user_id
    where told.kind not in ('LIKE', 'RATING', 'RSVP') on conflict do nothing;
    -- What was read while it was told is told anew.
    groups := array(
      select g from unnest(groups) as g where not exists (
        select from notifications n
        where n.user_id = g.user_id and n.kind = g.kind and n.subject_id = g.subject_id and n.read_at is null));
  end loop;

  with more as (
    update news n set told_up_to = guest.user_id
    from news e, lateral (
      select user_id from event_rsvps
      where event_id = e.subject_id and (e.told_up_to is null or user_id > e.told_up_to)
      order by user_id offset batch - 1 limit 1
    ) as guest
    where n.id = e.id and e.id = any(taken) and e.kind in ('EVENT_CHANGED', 'EVENT_CANCELLED')
    returning n.id
  )
  delete from news where id = any(taken) and id not in (select id from more);
  return cardinality(taken);
end
$$;
grant execute on function news_groups(bigint[], integer), count_others(uuid[], uuid[]) to tertulia_trigger;
grant execute on function tell_news(integer) to tertulia_worker;

reset role;
alter function note_thought_mark() owner to tertulia_trigger;
alter function note_comment() owner to tertulia_trigger;
alter function note_rsvp() owner to tertulia_trigger;
alter function note_message() owner to tertulia_trigger;
alter function note_event_change() owner to tertulia_trigger;
alter function tell_news(integer) owner to tertulia_trigger;
