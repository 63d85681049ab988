-- A push registration ends with the session that registered the device. Before, nothing ended it but its own app, so a
-- device went on ringing after its person had signed out. While servers of the release before run, a sign-in there with
-- mergeAnonymous ends the devices of the anonymous session, which register again.
set local role tertulia_owner;
-- Mails for whichever account has the address: a new password ends those that are queued.
create index on mails (recipient) where user_id is null;
-- In the order in which writes take them. The foreign key does not check the rows that exist: its check runs as the
-- owner, whom row-level security shows none. So no session may go between their deletion and the key.
lock table sessions, push_devices in access exclusive mode;
reset role;

set local role tertulia_worker;
delete from push_devices d where session_id is not null
  and not exists (select from sessions s where s.id = d.session_id and s.revoked_at is null);
-- A new password did not end a pending address. An address without a link and without a mail that is to bring one may
-- be that of somebody who knew an earlier password.
update credentials k set pending_email = null where pending_email is not null
  and not exists (select from one_time_tokens t where t.user_id = k.user_id and t.purpose = 'CONFIRM_EMAIL'
    and t.email = k.pending_email and t.expires_at > now())
  and not exists (select from mails m where m.user_id = k.user_id and m.kind = 'CONFIRM_EMAIL'
    and m.recipient = k.pending_email);
reset role;

set local role tertulia_owner;
alter table push_devices add foreign key (session_id) references sessions on delete cascade;
-- The end of a registration without a session, which a server made that did not store sessions yet. Null: 30 days after
-- `created_at`.
alter table push_devices add column ends_at timestamptz;
create index on push_devices (created_at) where session_id is null;

-- A sign-in with mergeAnonymous hands the devices of the anonymous session over to the new one.
grant update (session_id) on push_devices to tertulia_worker;
-- SELECT FOR SHARE requires the right to update a column.
grant select (id, user_id, revoked_at), update (revoked_at) on sessions to tertulia_trigger;
create policy registrations on sessions to tertulia_trigger using (true);

-- Queues a push to each device of the recipients of these notifications. A device that waits for an older message of
-- the same conversation rings for the new one as well. Devices are locked before their messages, as they are when a
-- session ends; the lock passes over devices that are deleted meanwhile.
create or replace function queue_pushes(told uuid[]) returns void
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
  for key share of d
  on conflict (device_id, notification_id)
    do update set told_in = excluded.told_in, message_number = excluded.message_number;
end
$$;

create function end_push_registrations() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  delete from push_devices where session_id = new.id;
  return null;
end
$$;
reset role;
alter function end_push_registrations() owner to tertulia_trigger;

set local role tertulia_trigger;
update push_devices set ends_at = now() + interval '30 days' where session_id is null;
revoke execute on function end_push_registrations() from public;
grant execute on function end_push_registrations() to tertulia_owner;

-- The viewer's device with this address. Another account that had the device has signed out there: a browser or an app
-- has one account.
create or replace function register_push_device(
  new_id uuid, new_transport text, new_address text, new_topic text, is_sandbox boolean, key bytea, secret bytea,
  session uuid default null
) returns uuid
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  found_id uuid;
begin
  -- Every transaction that locks an account and a session locks the account first.
  perform lock_viewer();
  -- A transaction that ends the session waits for this lock; its trigger then deletes the registration. If it came
  -- first, no session is found.
  perform from sessions where id = session and user_id = viewer_id() and revoked_at is null for share;
  if not found then
    perform refuse_suspended(viewer_id());
    perform refuse('UNAUTHENTICATED');
  end if;
  delete from push_devices where address = new_address and topic = new_topic and user_id <> viewer_id();
  insert into push_devices as d (id, user_id, transport, address, topic, sandbox, p256dh, auth, session_id)
  values (new_id, viewer_id(), new_transport, new_address, new_topic, is_sandbox, key, secret, session)
  on conflict (address, topic) do update
    set p256dh = excluded.p256dh, auth = excluded.auth, sandbox = excluded.sandbox, session_id = excluded.session_id
    where d.user_id = viewer_id()
  returning id into found_id;
  -- Browsers renew their subscriptions without taking the old ones back.
  delete from push_devices where id in (
    select id from push_devices where user_id = viewer_id() order by created_at desc, id desc offset 20);
  return found_id;
end
$$;
reset role;

set local role tertulia_owner;
create trigger end_push_registrations after update of revoked_at on sessions for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function end_push_registrations();
reset role;
