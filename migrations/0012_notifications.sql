set local role tertulia_owner;

-- One row of what happened to one subject until it is read: twenty likes are one notification. No CHECK constraints,
-- which every like would parse anew: triggers alone write here.
-- No foreign keys: they would lock accounts while their thoughts are locked, which an account's deletion does in the
-- other order. What an account was told goes with it, by a trigger; who is gone is nobody.
create table notifications (
  id uuid primary key,
  user_id uuid not null,
  kind text not null,
  subject_type text not null,
  subject_id uuid not null,
  -- The latest of those who did it.
  actor_id uuid not null,
  -- The latest twenty, so that the same person twice is one.
  actors uuid[] not null,
  actor_count integer not null default 1,
  -- A sentence for a person.
  text text not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  read_at timestamptz
) with (fillfactor = 70);
create unique index notifications_unread_group on notifications (user_id, kind, subject_id) where read_at is null;
create index on notifications (user_id, created_at desc, id desc);
create index notifications_unread on notifications (user_id, created_at desc, id desc) where read_at is null;

-- A browser's push subscription or an app's device token: where to send what an account is told.
create table push_devices (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  transport text not null check (transport in ('WEB_PUSH', 'APNS')),
  -- The endpoint of the subscription, or the device token.
  address text not null,
  -- The app's bundle id; a browser has none.
  topic text not null default '',
  sandbox boolean not null default false,
  -- The browser's keys: RFC 8291, section 2.
  p256dh bytea,
  auth bytea,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  unique (address, topic),
  check ((transport = 'WEB_PUSH') = (p256dh is not null and auth is not null))
);
create index on push_devices (user_id);

-- What is to be sent, until it is: at most one message a device and notification.
create table push_queue (
  device_id uuid not null references push_devices on delete cascade,
  notification_id uuid not null references notifications on delete cascade,
  attempts integer not null default 0,
  -- When it may be tried again. Who takes it moves this on: what a process took that died comes back by itself.
  due_at timestamptz not null default now(),
  primary key (device_id, notification_id)
);
create index on push_queue (notification_id);
create index on push_queue (due_at);

-- What the triggers below call has no search_path of its own: theirs holds, and to set it once more costs more than the
-- function does. A SQL function could not be inlined with it.
-- RFC 9562, section 5.7
create function uuid_v7() returns uuid
  language sql volatile parallel safe
  return encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid;

create function notification_text(kind text, actor text, others integer, subject text) returns text
  language sql immutable parallel safe
  return actor || case when others = 0 or kind in ('EVENT_CHANGED', 'EVENT_CANCELLED') then ''
      when others = 1 then ' and one other' else ' and ' || others::text || ' others' end
    || case kind when 'LIKE' then ' liked ' when 'COMMENT' then ' commented on ' when 'RATING' then ' rated '
      when 'RSVP' then ' responded to ' when 'EVENT_CHANGED' then ' changed ' when 'EVENT_CANCELLED' then ' cancelled '
      else ' wrote to you' end
    || case when kind = 'MESSAGE' then '.' else '“' || subject || '”.' end;

alter table notifications enable row level security;
alter table notifications force row level security;
create policy own on notifications for select to tertulia_server using (user_id = (select viewer_id()));
create policy read_own on notifications for update to tertulia_server using (user_id = (select viewer_id()));
create policy told on notifications to tertulia_trigger using (true);
create policy push on notifications for select to tertulia_worker using (true);
grant select, update (read_at) on notifications to tertulia_server;
grant select on notifications to tertulia_worker;
grant select, insert, update, delete on notifications to tertulia_trigger;

alter table push_devices enable row level security;
alter table push_devices force row level security;
alter table push_queue enable row level security;
alter table push_queue force row level security;
create policy own on push_devices for select to tertulia_server using (user_id = (select viewer_id()));
create policy delete_own on push_devices for delete to tertulia_server using (user_id = (select viewer_id()));
create policy push on push_devices to tertulia_worker using (true);
create policy push on push_queue to tertulia_worker using (true);
create policy told on push_devices to tertulia_trigger using (true);
create policy told on push_queue to tertulia_trigger using (true);
grant select, delete on push_devices to tertulia_server, tertulia_worker;
grant select, update, delete on push_queue to tertulia_worker;
grant select, insert, update, delete on push_devices to tertulia_trigger;
grant select, insert on push_queue to tertulia_trigger;

-- The viewer's device with this address. Who else had it has signed out there: a browser or an app has one account.
create function register_push_device(
  new_id uuid, new_transport text, new_address text, new_topic text, is_sandbox boolean, key bytea, secret bytea
) returns uuid
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  found uuid;
begin
  delete from push_devices where address = new_address and topic = new_topic and user_id <> viewer_id();
  insert into push_devices as d (id, user_id, transport, address, topic, sandbox, p256dh, auth)
  values (new_id, viewer_id(), new_transport, new_address, new_topic, is_sandbox, key, secret)
  on conflict (address, topic) do update set p256dh = excluded.p256dh, auth = excluded.auth, sandbox = excluded.sandbox
    where d.user_id = viewer_id()
  returning id into found;
  -- Browsers renew their subscriptions without taking the old ones back.
  delete from push_devices where id in (
    select id from push_devices where user_id = viewer_id() order by created_at desc, id desc offset 20);
  return found;
end
$$;
grant execute on function register_push_device(uuid, text, text, text, boolean, bytea, bytea) to tertulia_server;

-- Tells the recipients what the actor did, those left out who blocked the actor or were blocked. One statement: the rows,
-- in the order of the recipients so that two never wait for each other in a circle, and those of the log. Who reacts to
-- the same again is no news while the first is unread.
create function notify_people(
  news text, about_type text, about uuid, actor uuid, actor_name text, recipients uuid[], subject text
) returns void
  language plpgsql
as $$
begin
  with told as (
    insert into notifications as n (id, user_id, kind, subject_type, subject_id, actor_id, actors, text)
    select uuid_v7(), r, news, about_type, about, actor, array[actor], notification_text(news, actor_name, 0, subject)
    from unnest(recipients) as r
    where r <> actor and r <> all (array(
      select blocker_id from blocks where blocked_id = actor
      union all select blocked_id from blocks where blocker_id = actor))
    order by r
    on conflict (user_id, kind, subject_id) where read_at is null do update set
      actor_id = actor,
      actors = (actor || array_remove(n.actors, actor))[1:20],
      actor_count = n.actor_count + (actor <> all (n.actors))::integer,
      text = notification_text(news, actor_name, n.actor_count - (actor = any (n.actors))::integer, subject),
      -- By the minute: what is liked a lot moves up without an entry in each index for each like.
      created_at = case
        when news in ('LIKE', 'RATING', 'RSVP') and excluded.created_at < n.created_at + interval '1 minute'
        then n.created_at else excluded.created_at
      end
    where news not in ('LIKE', 'RATING', 'RSVP') or actor <> all (n.actors)
    -- A row that was just inserted has no xmax.
    returning n.id, n.user_id, n.xmax = 0 as is_new
  ), logged as (
    insert into change_log (type, object_id, before, after)
    select 'notification', id, case when not is_new then row(user_id, 'UNREAD', null, null, null)::change_state end,
      row(user_id, 'UNREAD', null, null, null)::change_state
    from told
  )
  -- A reaction more to the same makes no device ring again.
  insert into push_queue (device_id, notification_id)
  select d.id, told.id from told join push_devices d on d.user_id = told.user_id
  where told.is_new or news not in ('LIKE', 'RATING', 'RSVP')
  on conflict do nothing;
end
$$;

-- One line of 60 characters at most.
create function notification_subject(name text) returns text
  language sql immutable parallel safe
  return regexp_replace(left(name, 59), '\s+', ' ', 'g') || case when length(name) > 59 then '…' else '' end;

create function notify_of_thought_mark() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform notify_people(
    tg_argv[0], 'thought', t.id, a.id, a.display_name, array[t.author_id],
    notification_subject(coalesce(t.title, t.text)))
  from changed c join thoughts t on t.id = c.thought_id join users a on a.id = c.user_id
  where t.author_id <> c.user_id order by t.id, a.id;
  return null;
end
$$;
create trigger notify_insert after insert on thought_likes
  referencing new table as changed for each statement execute function notify_of_thought_mark('LIKE');
create trigger notify_insert after insert on thought_ratings
  referencing new table as changed for each statement execute function notify_of_thought_mark('RATING');

create function notify_of_comments() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform notify_people(
    'COMMENT', case when c.thought_id is null then 'event' else 'thought' end, coalesce(t.id, e.id), a.id,
    a.display_name, array[coalesce(t.author_id, e.author_id)],
    notification_subject(coalesce(e.name, t.title, t.text)))
  from changed c
  join users a on a.id = c.author_id
  left join thoughts t on t.id = c.thought_id
  left join events e on e.id = c.event_id
  where coalesce(t.author_id, e.author_id) <> c.author_id order by t.id, e.id, a.id;
  return null;
end
$$;
create trigger notify_insert after insert on comments
  referencing new table as changed for each statement execute function notify_of_comments();

create function notify_of_rsvps() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform notify_people(
    'RSVP', 'event', e.id, a.id, a.display_name, array[e.author_id], notification_subject(e.name))
  from changed c join events e on e.id = c.event_id join users a on a.id = c.user_id
  where e.author_id <> c.user_id order by e.id, a.id;
  return null;
end
$$;
create trigger notify_insert after insert on event_rsvps
  referencing new table as changed for each statement execute function notify_of_rsvps();

create function notify_of_messages() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform notify_people(
    'MESSAGE', 'conversation', c.conversation_id, a.id, a.display_name,
    array(
      select user_id from conversation_members p
      where p.conversation_id = c.conversation_id and p.user_id is not null and p.left_at is null), '')
  from changed c join users a on a.id = c.author_id order by c.conversation_id, a.id;
  return null;
end
$$;
create trigger notify_insert after insert on messages
  referencing new table as changed for each statement execute function notify_of_messages();

-- What those who come need to know: the name, the times, the place, and that it does not take place.
create function notify_of_event_change() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform notify_people(
    tg_argv[0], 'event', new.id, a.id, a.display_name,
    array(select user_id from event_rsvps r where r.event_id = new.id), notification_subject(new.name))
  from users a where a.id = new.author_id;
  return null;
end
$$;
create trigger notify_change after update of name, starts_at, ends_at, time_zone, location on events for each row
  when (
    new.cancelled_at is null and greatest(old.ends_at, new.ends_at) > now()
    and (new.name, new.starts_at, new.ends_at, new.time_zone, new.location)
      is distinct from (old.name, old.starts_at, old.ends_at, old.time_zone, old.location))
  execute function notify_of_event_change('EVENT_CHANGED');
create trigger notify_cancellation after update of cancelled_at on events for each row
  when (old.cancelled_at is null and new.cancelled_at is not null and new.ends_at > now())
  execute function notify_of_event_change('EVENT_CANCELLED');

create function log_notification_update() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, before, after)
  values ('notification', new.id,
    row(new.user_id, case when old.read_at is null then 'UNREAD' else 'READ' end, null, null, null)::change_state,
    row(new.user_id, case when new.read_at is null then 'UNREAD' else 'READ' end, null, null, null)::change_state);
  return null;
end
$$;
-- What is told writes its rows of the log itself.
create trigger log_update after update on notifications
  for each row when (current_user <> 'tertulia_trigger') execute function log_notification_update();

-- Who has read a conversation to its end has read what was told about it.
create function read_message_notification() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  with told as (
    update notifications set read_at = date_trunc('milliseconds', now())
    where user_id = new.user_id and kind = 'MESSAGE' and subject_id = new.conversation_id and read_at is null
    returning id, user_id
  )
  insert into change_log (type, object_id, before, after)
  select 'notification', id, row(user_id, 'UNREAD', null, null, null)::change_state,
    row(user_id, 'READ', null, null, null)::change_state
  from told;
  return null;
end
$$;
create trigger read_notification after update of last_read_number on conversation_members for each row
  when (new.last_read_number >= new.newest_from_others) execute function read_message_notification();

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

-- What a trigger function calls, it calls as its owner.
grant execute on function uuid_v7(), notification_text(text, text, integer, text), notification_subject(text)
  to tertulia_trigger;

reset role;
alter function register_push_device(uuid, text, text, text, boolean, bytea, bytea) owner to tertulia_trigger;
alter function notify_people(text, text, uuid, uuid, text, uuid[], text) owner to tertulia_trigger;
alter function notify_of_thought_mark() owner to tertulia_trigger;
alter function notify_of_comments() owner to tertulia_trigger;
alter function notify_of_rsvps() owner to tertulia_trigger;
alter function notify_of_messages() owner to tertulia_trigger;
alter function notify_of_event_change() owner to tertulia_trigger;
alter function log_notification_update() owner to tertulia_trigger;
alter function read_message_notification() owner to tertulia_trigger;
alter function delete_notifications() owner to tertulia_trigger;
