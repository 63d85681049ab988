set local role tertulia_owner;

-- Twenty likes are one notification: it tells an account of all acts of one kind on one subject until the account reads
-- it. The table has no CHECK constraints, because every write would parse them again and only functions write here. The
-- table has no foreign keys: they would lock accounts while their thoughts are locked, and an account's deletion takes
-- these locks in the other order. A trigger deletes an account's notifications with the account. An actor whose account
-- is gone is left out when the notification is shown.
create table notifications (
  id uuid primary key,
  user_id uuid not null,
  kind text not null,
  subject_type text not null,
  subject_id uuid not null,
  -- The latest actor; null for an act of a moderator, because moderators stay unnamed.
  actor_id uuid,
  -- The latest twenty actors, so that a person who acts twice is counted once.
  actors uuid[] not null,
  actor_count integer not null default 1,
  -- The sentence that the account reads.
  text text not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  read_at timestamptz,
  -- The reason of a moderator's decision.
  reason text
) with (fillfactor = 70);
create unique index notifications_unread_group on notifications (user_id, kind, subject_id) where read_at is null;
create index on notifications (user_id, created_at desc, id desc);
create index notifications_unread on notifications (user_id, created_at desc, id desc) where read_at is null;

-- The outbox: acts for which notifications have not been made yet. An act writes one short row here. Notifications are
-- made a moment later, many at a time, because within the act they took PostgreSQL longer than the act itself.
create table outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  subject_type text not null,
  subject_id uuid not null,
  actor_id uuid not null,
  -- The last guest of a changed event, in the order of ids, who has been notified; null if none has.
  notified_up_to uuid
);
-- Each batch takes the oldest act of these kinds beside others. They are rare: without this index, a batch would read
-- the whole backlog to find that there is none.
create index outbox_of_events on outbox (id) where kind in ('EVENT_CHANGED', 'EVENT_CANCELLED');

-- The position in the change log up to which new comments have been copied to the outbox. The table has one row.
create table outbox_position (
  xid xid8 not null,
  id bigint not null
);

-- The acts of one kind on one subject, for one recipient.
create type notification_group as (
  user_id uuid, kind text, subject_type text, subject_id uuid,
  -- The actors, each once, the latest first.
  actors uuid[],
  actor_name text, subject text
);

alter table notifications enable row level security, force row level security;
alter table outbox enable row level security, force row level security;
alter table outbox_position enable row level security, force row level security;

create policy own on notifications for select to tertulia_server using (user_id = (select viewer_id()));
create policy read_own on notifications for update to tertulia_server using (user_id = (select viewer_id()));
create policy accounts on notifications to tertulia_worker using (true);
create policy triggers on notifications to tertulia_trigger using (true);

create policy work on outbox to tertulia_trigger using (true) with check (true);

create policy work on outbox_position to tertulia_trigger using (true) with check (true);

grant select on notifications to tertulia_server;
grant update (read_at) on notifications to tertulia_server;
grant select, delete on notifications to tertulia_worker;
grant update (user_id) on notifications to tertulia_worker;
grant select, insert, update, delete on notifications to tertulia_trigger;
grant select, insert, update, delete on outbox to tertulia_trigger;
grant select, insert, update on outbox_position to tertulia_trigger;

create trigger refuse_suspended before insert or update or delete on notifications
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();

create function log_notification_update() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, before, after)
  values ('notification', new.id,
    row(new.user_id, case when old.read_at is null then 'UNREAD' else 'READ' end, null, null, null, null)::change_state,
    row(new.user_id, case when new.read_at is null then 'UNREAD' else 'READ' end,
      null, null, null, null)::change_state);
  return null;
end
$$;
-- The trigger skips the updates by write_notifications, which writes its rows of the log itself.
create trigger log_update after update on notifications
  for each row when (current_user <> 'tertulia_trigger') execute function log_notification_update();

create function delete_notifications() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  delete from notifications where user_id in (select id from changed);
  return null;
end
$$;
create trigger delete_notifications after delete on users
  referencing old table as changed for each statement execute function delete_notifications();

-- When an account has read a conversation to its end, the notification of the messages counts as read.
create function read_message_notification() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  with written as (
    update notifications set read_at = date_trunc('milliseconds', now())
    where user_id = new.user_id and kind = 'MESSAGE' and subject_id = new.conversation_id and read_at is null
    returning id, user_id
  )
  insert into change_log (type, object_id, before, after)
  select 'notification', id, row(user_id, 'UNREAD', null, null, null, null)::change_state,
    row(user_id, 'READ', null, null, null, null)::change_state
  from written;
  return null;
end
$$;
create trigger read_notification after update of last_read_number on conversation_members for each row
  when (new.last_read_number >= new.newest_from_others) execute function read_message_notification();

create function enqueue_thought_mark() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into outbox (kind, subject_type, subject_id, actor_id)
  values (tg_argv[0], 'thought', new.thought_id, new.user_id);
  return null;
end
$$;
create trigger enqueue after insert on thought_likes for each row execute function enqueue_thought_mark('LIKE');
create trigger enqueue after insert on thought_ratings for each row execute function enqueue_thought_mark('RATING');

create function enqueue_rsvp() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into outbox (kind, subject_type, subject_id, actor_id) values ('RSVP', 'event', new.event_id, new.user_id);
  return null;
end
$$;
create trigger enqueue after insert on event_rsvps for each row execute function enqueue_rsvp();

create function enqueue_message() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into outbox (kind, subject_type, subject_id, actor_id)
  values ('MESSAGE', 'conversation', new.conversation_id, new.author_id);
  return null;
end
$$;
create trigger enqueue after insert on messages for each row execute function enqueue_message();

-- Guests are notified of a change of the name, the times, the time zone or the place, and of the cancellation.
create function enqueue_event_change() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into outbox (kind, subject_type, subject_id, actor_id) values (tg_argv[0], 'event', new.id, new.author_id);
  return null;
end
$$;
create trigger enqueue_change after update of name, starts_at, ends_at, time_zone, location on events for each row
  when (
    new.cancelled_at is null and greatest(old.ends_at, new.ends_at) > now()
    and (new.name, new.starts_at, new.ends_at, new.time_zone, new.location)
      is distinct from (old.name, old.starts_at, old.ends_at, old.time_zone, old.location))
  execute function enqueue_event_change('EVENT_CHANGED');
create trigger enqueue_cancellation after update of cancelled_at on events for each row
  when (old.cancelled_at is null and new.cancelled_at is not null and new.ends_at > now())
  execute function enqueue_event_change('EVENT_CANCELLED');

-- The next four functions run with the search_path of their caller, because setting it again costs more than they do.
-- They are in PL/pgSQL, which keeps their plans. PostgreSQL plans a SQL function that it cannot inline at each call.
create function notification_text(kind text, actor text, others integer, subject text) returns text
  language plpgsql immutable parallel safe
as $$
begin
  return actor || case when others = 0 or kind in ('EVENT_CHANGED', 'EVENT_CANCELLED') then ''
      when others = 1 then ' and one other' else ' and ' || others::text || ' others' end
    || case kind when 'LIKE' then ' liked ' when 'COMMENT' then ' commented on ' when 'RATING' then ' rated '
      when 'RSVP' then ' responded to ' when 'EVENT_CHANGED' then ' changed ' when 'EVENT_CANCELLED' then ' cancelled '
      else ' wrote to you' end
    || case when kind = 'MESSAGE' then '.' else '“' || subject || '”.' end;
end
$$;

-- The name in one line of at most 60 characters.
create function notification_subject(name text) returns text
  language plpgsql immutable parallel safe
as $$
begin
  return regexp_replace(left(name, 59), '\s+', ' ', 'g') || case when length(name) > 59 then '…' else '' end;
end
$$;

-- The number of elements of `these` that are not in `those`.
create function count_others(these uuid[], those uuid[]) returns integer
  language plpgsql immutable parallel safe
as $$
declare
  one uuid;
  others integer := 0;
begin
  foreach one in array these loop
    if one <> all (those) then
      others := others + 1;
    end if;
  end loop;
  return others;
end
$$;

-- Finds the recipients of the taken acts as of now. An act that was undone meanwhile has no recipients. A message has
-- no recipients who have read it. A recipient gets no notification of people whom they blocked or who blocked them. At
-- most `page` guests of an event are found.
create function notification_groups(taken bigint[], page integer) returns setof notification_group
  language plpgsql stable
as $$
#variable_conflict use_column
begin
  return query
  with acts as materialized (
    select * from outbox where id = any(taken)
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
      select user_id from event_rsvps where event_id = e.id and (a.notified_up_to is null or user_id > a.notified_up_to)
      order by user_id limit page
    ) as r
    where a.kind in ('EVENT_CHANGED', 'EVENT_CANCELLED')
  ), notified as (
    select r.user_id, a.kind, a.subject_type, a.subject_id, a.actor_id, u.display_name, r.subject, max(a.id) as newest
    from recipients r join acts a on a.id = r.id join users u on u.id = a.actor_id
    where r.user_id <> a.actor_id and not exists (
      select from blocks b where b.blocker_id = r.user_id and b.blocked_id = a.actor_id
        or b.blocker_id = a.actor_id and b.blocked_id = r.user_id)
    group by 1, 2, 3, 4, 5, 6, 7
  )
  select user_id, kind, subject_type, subject_id, array_agg(actor_id order by newest desc),
    (array_agg(display_name order by newest desc))[1], max(subject)
  from notified group by user_id, kind, subject_type, subject_id;
end
$$;

-- Copies new comments to the outbox, from the next `page` rows of the log that transactions before `settled` wrote.
-- Returns the number of these rows.
create function enqueue_comments(settled xid8, page integer) returns integer
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  here outbox_position;
  seen integer;
begin
  select * into here from outbox_position;
  with entries as materialized (
    select xid, id, type, after, counted from change_log
    where (xid, id) > (here.xid, here.id) and xid < settled order by xid, id limit page
  ), enqueued as (
    insert into outbox (kind, subject_type, subject_id, actor_id)
    select 'COMMENT', case when (counted).status is null then 'event' else 'thought' end,
      (after).subject, (after).owner
    from entries where type = 'comment' and counted is distinct from null order by xid, id
  ), passed as (
    update outbox_position p set xid = e.xid, id = e.id
    from (select xid, id from entries order by xid desc, id desc limit 1) as e
  )
  select count(*) into seen from entries;
  return seen;
end
$$;

-- Makes notifications of the oldest `batch` acts, and of the oldest change of an event. Several likes of one thought
-- are one notification until it is read. A second like by the same person changes nothing. Rows are written in the
-- order of their recipients. Returns the number of acts that were taken.
create function write_notifications_of_outbox(batch integer) returns integer
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
      returning n.id, n.user_id, n.kind
    ), logged as (
      insert into change_log (type, object_id, before, after)
      select 'notification', id, row(user_id, 'UNREAD', null, null, null, null)::change_state,
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

-- Copies new comments to the outbox, then makes notifications. One replica does so at a time. Returns the number of
-- acts that were taken, and at least `batch` if more of the log is left.
create function write_notifications(batch integer) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  page constant integer := 4 * batch;
  is_more boolean;
begin
  -- The number of the lock, which the restore of a log takes too.
  if not pg_try_advisory_xact_lock(1852143475) then
    return 0;
  end if;
  is_more := enqueue_comments(pg_snapshot_xmin(pg_current_snapshot()), page) = page;
  return greatest(write_notifications_of_outbox(batch), case when is_more then batch end);
end
$$;

-- A notification without the actors that are hidden from the viewer, and without those whose accounts are gone: the
-- latest of the other actors, their number, and the sentence about them. The subject's name is taken from the sentence
-- `original`, where it stands between the first quotation mark after the verb and the last.
create function notification_without(
  kind text, actors uuid[], actor_count integer, original text, hidden uuid[],
  out actor_id uuid, out others integer, out sentence text
)
  language plpgsql stable parallel safe
  set search_path = public, pg_temp
as $$
declare
  there uuid[] := array(
    select u.id from unnest(actors) with ordinality as a (id, place) join users u using (id)
    where a.id <> all (hidden) order by a.place);
begin
  actor_id := there[1];
  others := greatest(actor_count - cardinality(actors) + cardinality(there), 1);
  sentence := notification_text(
    kind, coalesce((select display_name from users where id = actor_id), 'Somebody'), others - 1,
    coalesce(
      substring(original from ' (?:liked|commented on|rated|responded to|changed|cancelled) “(.*)”\.$'), ''));
end
$$;

grant execute on function notification_without(text, uuid[], integer, text, uuid[]) to tertulia_server, tertulia_worker;
grant execute on function notification_text(text, text, integer, text)
  to tertulia_server, tertulia_worker, tertulia_trigger;
grant execute on function write_notifications(integer) to tertulia_worker;
grant execute on function notification_subject(text), count_others(uuid[], uuid[]),
  notification_groups(bigint[], integer), enqueue_comments(xid8, integer) to tertulia_trigger;

reset role;
alter function log_notification_update() owner to tertulia_trigger;
alter function delete_notifications() owner to tertulia_trigger;
alter function read_message_notification() owner to tertulia_trigger;
alter function enqueue_thought_mark() owner to tertulia_trigger;
alter function enqueue_rsvp() owner to tertulia_trigger;
alter function enqueue_message() owner to tertulia_trigger;
alter function enqueue_event_change() owner to tertulia_trigger;
alter function write_notifications_of_outbox(integer) owner to tertulia_trigger;
alter function write_notifications(integer) owner to tertulia_trigger;

set local role tertulia_trigger;
insert into outbox_position (xid, id) values (pg_snapshot_xmin(pg_current_snapshot()), 0);
reset role;
