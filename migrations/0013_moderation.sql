set local role tertulia_owner;

-- A report stays when its subject goes: no foreign key to the subject.
create table reports (
  id uuid primary key,
  reporter_id uuid references users on delete set null,
  subject_type text not null check (subject_type in ('thought', 'comment', 'event', 'user')),
  subject_id uuid not null,
  reason text not null check (reason in ('SPAM', 'HARASSMENT', 'VIOLENCE', 'SEXUAL_CONTENT', 'OTHER')),
  note text,
  status text not null default 'OPEN' check (status in ('OPEN', 'DISMISSED', 'CONTENT_REMOVED')),
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  resolved_by uuid references users on delete set null,
  resolved_at timestamptz,
  check ((status = 'OPEN') = (resolved_at is null))
);
-- A second report of the same subject before the first is decided is the same report.
create unique index reports_open on reports (reporter_id, subject_id) where status = 'OPEN';
create index on reports (reporter_id) where reporter_id is not null;
create index on reports (resolved_by) where resolved_by is not null;
create index reports_of_status on reports (status, created_at, id);
create index reports_of_subject on reports (subject_id) where status = 'OPEN';

-- What moderators did, by ids alone: the content is gone. Append-only.
create table moderation_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  moderator_id uuid not null,
  action text not null check (action in ('REMOVED', 'DISMISSED', 'SUSPENDED', 'UNSUSPENDED')),
  subject_type text not null,
  subject_id uuid not null,
  author_id uuid,
  -- Of the report that the decision was made on.
  report_id uuid,
  reason text,
  -- The end of a suspension.
  until timestamptz
);
create index on moderation_log (subject_id);

-- Images that the subject of an open report showed when they were deleted. Their contents stay until the report is
-- resolved.
create table report_images (
  -- Not the image's own id, whose addresses end with the image.
  id uuid primary key default uuid_v7(),
  report_id uuid not null references reports on delete cascade,
  image_id uuid not null,
  sha256 bytea not null references image_contents,
  mime_type text not null,
  width integer not null,
  height integer not null,
  byte_size integer not null,
  unique (report_id, image_id)
);
create index on report_images (sha256);

alter table reports enable row level security, force row level security;
alter table moderation_log enable row level security, force row level security;
alter table report_images enable row level security, force row level security;

create policy visible on reports for select to tertulia_server
  using (reporter_id = (select viewer_id()) or (select viewer_is_moderator()));
create policy create_own on reports for insert to tertulia_server with check (reporter_id = (select viewer_id()));
create policy moderation on reports to tertulia_trigger using (true);

create policy read on moderation_log for select to tertulia_worker using (true);
create policy append_as_worker on moderation_log for insert to tertulia_worker with check (true);
create policy append on moderation_log for insert to tertulia_trigger with check (true);

create policy moderation on report_images for select to tertulia_server using ((select viewer_is_moderator()));
create policy serving on report_images for select to tertulia_worker using (true);
create policy evidence on report_images to tertulia_trigger using (true);

grant select on reports to tertulia_server, tertulia_trigger;
grant insert (id, reporter_id, subject_type, subject_id, reason, note) on reports to tertulia_server;
grant update (status, resolved_by, resolved_at) on reports to tertulia_trigger;
grant select, insert on moderation_log to tertulia_worker;
grant insert on moderation_log to tertulia_trigger;
grant select on report_images to tertulia_server, tertulia_worker;
grant select, insert, delete on report_images to tertulia_trigger;

create trigger refuse_suspended before insert or update or delete on reports
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();

create function refuse_change_of_moderation_log() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'the moderation log is append-only';
end
$$;
create trigger append_only before update or delete on moderation_log
  for each row execute function refuse_change_of_moderation_log();

-- The end of a sentence.
create function report_reason_text(reason text) returns text
  language sql immutable parallel safe
  return coalesce(': ' || lower(replace(nullif(reason, 'OTHER'), '_', ' ')), '') || '.';

-- Tells an account of a moderator's decision: a notification without an actor and with the reason, its row of the log,
-- and its pushes. Within the act itself, which is rare. An unread notification of the same subject is changed instead.
create function notify_of_moderation(
  recipient uuid, decision text, about_type text, about uuid, why text, sentence text
) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  written uuid;
  is_new boolean;
begin
  insert into notifications as n (id, user_id, kind, subject_type, subject_id, actors, actor_count, text, reason)
  select uuid_v7(), id, decision, about_type, about, '{}', 0, sentence, why from users
  where id = recipient and not exists (select from deleted_accounts where user_id = recipient)
  on conflict (user_id, kind, subject_id) where read_at is null
    do update set text = excluded.text, reason = excluded.reason, created_at = excluded.created_at
  -- A row that was just inserted has no xmax.
  returning n.id, n.xmax = 0 into written, is_new;
  if written is null then
    return;
  end if;
  insert into change_log (type, object_id, before, after)
  values ('notification', written,
    case when not is_new then row(recipient, 'UNREAD', null, null, null, null)::change_state end,
    row(recipient, 'UNREAD', null, null, null, null)::change_state);
  perform queue_pushes(array[written]);
end
$$;

-- Logs what a moderator deletes, and tells its author, with the reason of the report where there was one. Not what a
-- foreign key deletes with it.
create function log_removal() returns trigger
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
    perform notify_of_moderation(
      removed.author_id, 'CONTENT_REMOVED', tg_argv[0], removed.id, why,
      'Moderators removed your ' || tg_argv[0] || ' “' || removed.name || '”' || report_reason_text(why));
  end loop;
  return null;
end
$$;
create trigger log_removal after delete on thoughts referencing old table as changed_from
  for each statement when (pg_trigger_depth() = 0) execute function log_removal('thought');
create trigger log_removal after delete on events referencing old table as changed_from
  for each statement when (pg_trigger_depth() = 0) execute function log_removal('event');
create trigger log_removal after delete on comments referencing old table as changed_from
  for each statement when (pg_trigger_depth() = 0) execute function log_removal('comment');

-- Resolves a report. A removal decides every open report of the same subject; of a person it removes the text, the
-- picture and the chosen name, but not the username, which signs in. Reporters are told the decision.
create function resolve_report(report uuid, remove boolean) returns boolean
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
        perform notify_of_moderation(
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
      perform notify_of_moderation(
        decided.reporter_id, 'REPORT_RESOLVED', 'report', decided.id, decided.reason,
        case when remove then 'Moderators removed what you reported' else 'Moderators dismissed your report' end
          || report_reason_text(decided.reason));
    end if;
  end loop;
  return true;
end
$$;

-- Images that were uploaded after a report are no part of it.
create function keep_reported_image(image uuid) returns void
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into report_images (report_id, image_id, sha256, mime_type, width, height, byte_size)
  select r.id, i.id, i.sha256, i.mime_type, i.width, i.height, i.byte_size
  from images i
  cross join lateral (
    select id from thoughts where image_id = i.id
    union all select id from events where image_id = i.id
    union all select id from users where avatar_id = i.id
    union all select id from messages where image_id = i.id
  ) as subject
  join reports r on r.subject_id = subject.id and r.status = 'OPEN' and r.created_at >= i.created_at
  where i.id = image
  on conflict do nothing;
end
$$;

create function keep_reported_image_as_it_goes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform keep_reported_image(old.id);
  return old;
end
$$;
create trigger keep_reported before delete on images for each row execute function keep_reported_image_as_it_goes();

create function release_report_images() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  delete from report_images where report_id = new.id;
  return null;
end
$$;
create trigger release_images after update of status on reports for each row
  when (old.status = 'OPEN' and new.status <> 'OPEN') execute function release_report_images();
create trigger release_contents after delete on report_images
  referencing old table as changed for each statement execute function release_image_contents();

grant execute on function resolve_report(uuid, boolean) to tertulia_server;
grant execute on function keep_reported_image(uuid) to tertulia_worker;
grant execute on function report_reason_text(text), notify_of_moderation(uuid, text, text, uuid, text, text)
  to tertulia_trigger;

reset role;
alter function log_removal() owner to tertulia_trigger;
alter function resolve_report(uuid, boolean) owner to tertulia_trigger;
alter function keep_reported_image(uuid) owner to tertulia_trigger;
alter function keep_reported_image_as_it_goes() owner to tertulia_trigger;
alter function release_report_images() owner to tertulia_trigger;
