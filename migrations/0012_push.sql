set local role tertulia_owner;

-- A browser's push subscription or an app's device token.
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
  -- The session that registered the device: the device does not ring for what that session received live.
  session_id uuid,
  unique (address, topic),
  check ((transport = 'WEB_PUSH') = (p256dh is not null and auth is not null))
);
create index on push_devices (user_id);
create index on push_devices (session_id) where session_id is not null;

-- Pushes until they are sent: at most one a device and notification.
create table push_queue (
  device_id uuid not null references push_devices on delete cascade,
  notification_id uuid not null references notifications on delete cascade,
  attempts integer not null default 0,
  -- When the push may be tried again. A process that takes it moves this on: if the process dies, the push comes back
  -- by itself.
  due_at timestamptz not null default now(),
  -- The transaction that changed the notification.
  told_in xid8 not null default pg_current_xact_id(),
  -- Of a message's notification, the number of the newest message by others.
  message_number bigint,
  primary key (device_id, notification_id)
);
create index on push_queue (notification_id);
create index on push_queue (due_at);

-- What a session has proven to have received: the changes of a notification up to a transaction, or the messages of a
-- conversation up to a number. Without foreign keys, which would lock rows that others write.
create table push_receipts (
  session_id uuid not null,
  -- A notification or a conversation.
  subject_id uuid not null,
  up_to bigint not null,
  at timestamptz not null default now(),
  primary key (session_id, subject_id)
);
create index on push_receipts (at);

alter table push_devices enable row level security, force row level security;
alter table push_queue enable row level security, force row level security;
alter table push_receipts enable row level security, force row level security;

create policy own on push_devices for select to tertulia_server using (user_id = (select viewer_id()));
create policy delete_own on push_devices for delete to tertulia_server using (user_id = (select viewer_id()));
create policy push on push_devices to tertulia_worker using (true);
create policy triggers on push_devices to tertulia_trigger using (true);

create policy push on push_queue to tertulia_worker using (true);
create policy triggers on push_queue to tertulia_trigger using (true);

create policy push on push_receipts to tertulia_worker using (true);
create policy note on push_receipts to tertulia_trigger using (true);

grant select, delete on push_devices to tertulia_server, tertulia_worker;
grant update (user_id) on push_devices to tertulia_worker;
grant select, insert, update, delete on push_devices to tertulia_trigger;
grant select, update, delete on push_queue to tertulia_worker;
grant select, insert, update on push_queue to tertulia_trigger;
grant select, delete on push_receipts to tertulia_worker;
grant select, insert, update on push_receipts to tertulia_trigger;

create trigger refuse_suspended before insert or update or delete on push_devices
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();

-- The viewer's device with this address. Another account that had the device has signed out there: a browser or an app
-- has one account.
create function register_push_device(
  new_id uuid, new_transport text, new_address text, new_topic text, is_sandbox boolean, key bytea, secret bytea,
  session uuid default null
) returns uuid
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  found uuid;
begin
  delete from push_devices where address = new_address and topic = new_topic and user_id <> viewer_id();
  insert into push_devices as d (id, user_id, transport, address, topic, sandbox, p256dh, auth, session_id)
  values (new_id, viewer_id(), new_transport, new_address, new_topic, is_sandbox, key, secret, session)
  on conflict (address, topic) do update
    set p256dh = excluded.p256dh, auth = excluded.auth, sandbox = excluded.sandbox, session_id = excluded.session_id
    where d.user_id = viewer_id()
  returning id into found;
  -- Browsers renew their subscriptions without taking the old ones back.
  delete from push_devices where id in (
    select id from push_devices where user_id = viewer_id() order by created_at desc, id desc offset 20);
  return found;
end
$$;

-- Queues a push to each device of the recipients of these notifications. A device that waits for an older message of
-- the same conversation rings for the new one as well.
create function queue_pushes(told uuid[]) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  insert into push_queue (device_id, notification_id, message_number)
  select d.id, n.id, m.newest_from_others
  from notifications n
  join push_devices d on d.user_id = n.user_id
  left join conversation_members m
    on n.kind = 'MESSAGE' and m.conversation_id = n.subject_id and m.user_id = n.user_id
  where n.id = any(told) order by 1, 2
  on conflict (device_id, notification_id)
    do update set told_in = excluded.told_in, message_number = excluded.message_number;
end
$$;

-- Notes that sessions have received these objects, notifications and messages, as of these transactions. A session
-- without a device has no push to take back, nor has the author of a message.
create function record_push_receipts(sessions uuid[], objects uuid[], transactions bigint[]) returns void
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into push_receipts as known (session_id, subject_id, up_to)
  select r.session_id, coalesce(m.conversation_id, r.object_id), max(coalesce(m.number, r.transaction))
  from unnest(sessions, objects, transactions) as r (session_id, object_id, transaction)
  left join messages m on m.id = r.object_id
  where exists (
    select from push_devices d where d.session_id = r.session_id and d.user_id is distinct from m.author_id)
  group by 1, 2 order by 1, 2
  on conflict (session_id, subject_id)
    do update set up_to = greatest(known.up_to, excluded.up_to), at = excluded.at;
end
$$;

grant execute on function register_push_device(uuid, text, text, text, boolean, bytea, bytea, uuid) to tertulia_server;
grant execute on function record_push_receipts(uuid[], uuid[], bigint[]) to tertulia_worker;
grant execute on function queue_pushes(uuid[]) to tertulia_trigger;

reset role;
alter function register_push_device(uuid, text, text, text, boolean, bytea, bytea, uuid) owner to tertulia_trigger;
alter function record_push_receipts(uuid[], uuid[], bigint[]) owner to tertulia_trigger;
