reset role;
alter function tell_noted_news(integer) owner to tertulia_owner;
alter function log_removal() owner to tertulia_owner;
alter function resolve_report(uuid, boolean) owner to tertulia_owner;
set local role tertulia_trigger;
drop function register_push_device(uuid, text, text, text, boolean, bytea, bytea);
set local role tertulia_owner;

-- A device rings unless the session that registered it was handed the news live.
alter table push_devices add column session_id uuid;
create index on push_devices (session_id) where session_id is not null;

-- What the row tells: the change of the notification in this transaction, and, of a message's notification, the
-- conversation up to this message.
alter table push_queue
  add column told_in xid8 not null default pg_current_xact_id(),
  add column message_number bigint;

-- What a session has proven that it has: of a notification the change in this transaction, of a conversation the message
-- of this number, and all before them. Without foreign keys, which would lock what others write.
create table push_receipts (
  session_id uuid not null,
  -- A notification or a conversation.
  subject_id uuid not null,
  up_to bigint not null,
  at timestamptz not null default now(),
  primary key (session_id, subject_id)
);
create index on push_receipts (at);
alter table push_receipts enable row level security;
alter table push_receipts force row level security;
create policy push on push_receipts to tertulia_worker using (true);
create policy note on push_receipts to tertulia_trigger using (true);
grant select, delete on push_receipts to tertulia_worker;
grant select, insert, update on push_receipts to tertulia_trigger;
grant update on push_queue to tertulia_trigger;

-- Notes that sessions have these objects, notifications and messages, as of these transactions. A session without a device
-- has nothing to take back, nor has who wrote the message.
create function note_push_receipts(sessions uuid[], objects uuid[], transactions bigint[]) returns void
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
grant execute on function note_push_receipts(uuid[], uuid[], bigint[]) to tertulia_worker;

-- As it was, with the session that the device is used in.
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
grant execute on function register_push_device(uuid, text, text, text, boolean, bytea, bytea, uuid) to tertulia_server;

-- The devices of those who were told of these notifications are to ring, once the hold is over. A device that waits for
-- an older message already rings for this one, too.
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
grant execute on function queue_pushes(uuid[]) to tertulia_trigger;

-- As it was, with queue_pushes.
create or replace function tell_noted_news(batch integer) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  taken bigint[];
  groups news_group[];
  ringing uuid[];
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
    )
    select array(
        select g from unnest(groups) as g
        where (g.user_id, g.kind, g.subject_id) not in (select user_id, kind, subject_id from told)),
      array(select id from told)
    into groups, ringing;
    perform queue_pushes(ringing);
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
    select array(select id from told where kind not in ('LIKE', 'RATING', 'RSVP')) into ringing;
    perform queue_pushes(ringing);
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

-- Moderation tells in nobody's name: without an actor, and with the reason.
alter table notifications alter column actor_id drop not null, add column reason text;

-- Within the act, which is rare: the notification of an account, its row of the log, and its devices. What was told of the
-- same and is unread yet is told anew.
create function tell_of_moderation(
  recipient uuid, news text, about_type text, about uuid, why text, sentence text
) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  told uuid;
  is_new boolean;
begin
  insert into notifications as n (id, user_id, kind, subject_type, subject_id, actors, actor_count, text, reason)
  select uuid_v7(), id, news, about_type, about, '{}', 0, sentence, why from users
  where id = recipient and id <> all (array(select user_id from deleted_accounts))
  on conflict (user_id, kind, subject_id) where read_at is null
    do update set text = excluded.text, reason = excluded.reason, created_at = excluded.created_at
  -- A row that was just inserted has no xmax.
  returning n.id, n.xmax = 0 into told, is_new;
  if told is null then
    return;
  end if;
  insert into change_log (type, object_id, before, after)
  values ('notification', told,
    case when not is_new then row(recipient, 'UNREAD', null, null, null)::change_state end,
    row(recipient, 'UNREAD', null, null, null)::change_state);
  perform queue_pushes(array[told]);
end
$$;
grant execute on function tell_of_moderation(uuid, text, text, uuid, text, text) to tertulia_trigger;
create policy tell on deleted_accounts for select to tertulia_trigger using (true);
grant select (user_id) on deleted_accounts to tertulia_trigger;

-- The end of a sentence.
create function report_reason_text(reason text) returns text
  language sql immutable parallel safe
  return coalesce(': ' || lower(replace(nullif(reason, 'OTHER'), '_', ' ')), '') || '.';
grant execute on function report_reason_text(text) to tertulia_trigger;

-- As it was, and the author is told of it, with the reason of the report where it was decided on one.
create or replace function log_removal() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  decided uuid := nullif(current_setting('app.report_id', true), '')::uuid;
  why text := (select r.reason from reports r where r.id = decided);
  removed record;
begin
  insert into moderation_log (moderator_id, action, subject_type, subject_id, author_id, report_id, reason)
  select viewer_id(), 'REMOVED', tg_argv[0], id, author_id, decided, why
  from changed_from where author_id <> viewer_id() order by id;
  for removed in
    select o.id, o.author_id, notification_subject(coalesce(
      to_jsonb(o) ->> 'title', to_jsonb(o) ->> 'name', to_jsonb(o) ->> 'text')) as name
    from changed_from o where o.author_id <> viewer_id() order by o.author_id, o.id
  loop
    perform tell_of_moderation(
      removed.author_id, 'CONTENT_REMOVED', tg_argv[0], removed.id, why,
      'Moderators removed your ' || tg_argv[0] || ' “' || removed.name || '”' || report_reason_text(why));
  end loop;
  return null;
end
$$;

-- As it was, and those who reported it are told what was decided, with what they had reported it for.
create or replace function resolve_report(report uuid, remove boolean) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  found_report reports;
  decided reports;
begin
  if not viewer_is_moderator() then
    return refuse(case when exists (select from reports where id = report and reporter_id = viewer_id())
      then 'FORBIDDEN' else 'NOT_FOUND' end);
  end if;
  select * into found_report from reports where id = report for no key update;
  if found_report.id is null then
    return refuse('NOT_FOUND');
  end if;
  if found_report.status <> 'OPEN' then
    return (found_report.status = 'CONTENT_REMOVED') = remove or refuse('USER_ERRORS', 'CONFLICT id');
  end if;
  if remove then
    perform set_config('app.report_id', report::text, true);
    case found_report.subject_type
      when 'thought' then delete from thoughts where id = found_report.subject_id;
      when 'event' then delete from events where id = found_report.subject_id;
      when 'comment' then
        perform lock_subject(thought_id, event_id) from comments where id = found_report.subject_id;
        delete from comments where id = found_report.subject_id;
      when 'user' then
        update users set bio = null, avatar_id = null,
          display_name = coalesce(username, case when is_anonymous then display_name else 'Somebody' end)
        where id = found_report.subject_id;
        insert into moderation_log (moderator_id, action, subject_type, subject_id, author_id, report_id, reason)
        values (viewer_id(), 'REMOVED', 'user', found_report.subject_id, found_report.subject_id, report,
          found_report.reason);
        perform tell_of_moderation(
          found_report.subject_id, 'CONTENT_REMOVED', 'user', found_report.subject_id, found_report.reason,
          'Moderators removed what your profile said' || report_reason_text(found_report.reason));
    end case;
    perform set_config('app.report_id', '', true);
  else
    insert into moderation_log (moderator_id, action, subject_type, subject_id, report_id, reason)
    values (viewer_id(), 'DISMISSED', found_report.subject_type, found_report.subject_id, report, found_report.reason);
  end if;
  for decided in
    select * from reports
    where status = 'OPEN' and (id = report or remove and subject_id = found_report.subject_id)
    order by id for no key update
  loop
    update reports set status = case when remove then 'CONTENT_REMOVED' else 'DISMISSED' end,
      resolved_by = viewer_id(), resolved_at = date_trunc('milliseconds', now())
    where id = decided.id;
    if decided.reporter_id <> viewer_id() then
      perform tell_of_moderation(
        decided.reporter_id, 'REPORT_RESOLVED', 'report', decided.id, decided.reason,
        case when remove then 'Moderators removed what you reported' else 'Moderators dismissed your report' end
          || report_reason_text(decided.reason));
    end if;
  end loop;
  return true;
end
$$;

alter table moderation_log add column reason text, add column until timestamptz;
alter table moderation_log drop constraint moderation_log_action_check;
alter table moderation_log add constraint moderation_log_action_check
  check (action in ('REMOVED', 'DISMISSED', 'SUSPENDED', 'UNSUSPENDED'));
create policy append_as_worker on moderation_log for insert to tertulia_worker with check (true);
grant insert on moderation_log to tertulia_worker;

-- Accounts that may neither sign in nor write until an instant.
create table suspensions (
  user_id uuid primary key references users on delete cascade,
  until timestamptz not null,
  reason text not null check (reason in ('SPAM', 'HARASSMENT', 'VIOLENCE', 'SEXUAL_CONTENT', 'OTHER')),
  created_at timestamptz not null default date_trunc('milliseconds', now())
);
alter table suspensions enable row level security;
alter table suspensions force row level security;
create policy moderation on suspensions for select to tertulia_server using ((select viewer_is_moderator()));
create policy suspend on suspensions to tertulia_worker using (true);
create policy refuse on suspensions for select to tertulia_trigger using (true);
grant select on suspensions to tertulia_server, tertulia_trigger;
grant select, insert, update, delete on suspensions to tertulia_worker;

-- Refuses what a suspended account does, with what it is suspended for and until when.
create function refuse_suspended(account uuid) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  present suspensions;
begin
  select * into present from suspensions where user_id = account and until > now();
  return not found or refuse('FORBIDDEN', 'SUSPENDED ' || present.reason || ' '
    || to_char(present.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end
$$;
grant execute on function refuse_suspended(uuid) to tertulia_worker;

create function refuse_suspended_viewer() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  -- Almost always false: a call less for each write.
  if exists (select from suspensions where user_id = viewer_id() and until > now()) then
    perform refuse_suspended(viewer_id());
  end if;
  return null;
end
$$;

-- Whatever writes there in an account's name, a function of ours included. What its triggers write follows from that.
do $$
declare
  name text;
begin
  foreach name in array array[
    'users', 'credentials', 'deleted_accounts', 'blocks', 'images', 'thoughts', 'thought_likes', 'thought_saves',
    'thought_ratings', 'thought_shares', 'comments', 'events', 'event_rsvps', 'conversations', 'conversation_members',
    'messages', 'notifications', 'push_devices', 'reports', 'suspensions'
  ] loop
    execute format('create trigger refuse_suspended before insert or update or delete on %I for each statement
      when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer()', name);
  end loop;
end
$$;

-- Suspending locks the account's row before it ends the sessions: a session that begins meanwhile waits, and is refused,
-- or is waited for, and ended.
create function refuse_session_of_suspended() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform from users where id = new.user_id for key share;
  perform refuse_suspended(new.user_id);
  return new;
end
$$;
create trigger refuse_suspended before insert on sessions
  for each row execute function refuse_session_of_suspended();

-- Whether the viewer may suspend this account, and take that back: moderators members, administrators all but themselves.
create function require_moderator_of(person uuid) returns boolean
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
declare
  own_role text := (select role from users where id = viewer_id());
  its_role text := (select role from users where id = person
    and id <> all (array(select user_id from deleted_accounts)));
begin
  return case
    when own_role is distinct from 'MODERATOR' and own_role is distinct from 'ADMIN' then refuse('FORBIDDEN', 'ROLE')
    when its_role is null then refuse('NOT_FOUND')
    when person = viewer_id() then refuse('USER_ERRORS', 'NOT_ALLOWED userId')
    when its_role <> 'MEMBER' and own_role <> 'ADMIN' then refuse('FORBIDDEN', 'ROLE')
    else true end;
end
$$;
grant execute on function require_moderator_of(uuid) to tertulia_worker;

reset role;
alter function tell_noted_news(integer) owner to tertulia_trigger;
alter function log_removal() owner to tertulia_trigger;
alter function resolve_report(uuid, boolean) owner to tertulia_trigger;
alter function note_push_receipts(uuid[], uuid[], bigint[]) owner to tertulia_trigger;
alter function register_push_device(uuid, text, text, text, boolean, bytea, bytea, uuid) owner to tertulia_trigger;
alter function refuse_suspended(uuid) owner to tertulia_trigger;
alter function refuse_suspended_viewer() owner to tertulia_trigger;
alter function refuse_session_of_suspended() owner to tertulia_trigger;
alter function require_moderator_of(uuid) owner to tertulia_trigger;
