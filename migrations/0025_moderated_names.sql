set local role tertulia_owner;

grant update (display_name) on users to tertulia_trigger;
grant select (id, conversation_id, author_id, number) on messages to tertulia_trigger;

set local role tertulia_trigger;
drop function resolve_report(uuid, boolean);
drop function viewer_blocked_owner(text, uuid);
set local role tertulia_owner;

-- What is removed of a person is what they say of themselves: the text, the picture, and the name that they gave
-- themselves. The username stays, by which they sign in.
create function resolve_report(report uuid, remove boolean) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  found_report reports;
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
  if not remove then
    update reports set status = 'DISMISSED', resolved_by = viewer_id(), resolved_at = date_trunc('milliseconds', now())
    where id = report;
    insert into moderation_log (moderator_id, action, subject_type, subject_id, report_id)
    values (viewer_id(), 'DISMISSED', found_report.subject_type, found_report.subject_id, report);
    return true;
  end if;
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
      insert into moderation_log (moderator_id, action, subject_type, subject_id, author_id, report_id)
      values (viewer_id(), 'REMOVED', 'user', found_report.subject_id, found_report.subject_id, report);
  end case;
  perform set_config('app.report_id', '', true);
  perform from reports where subject_id = found_report.subject_id and status = 'OPEN' order by id for no key update;
  update reports
  set status = 'CONTENT_REMOVED', resolved_by = viewer_id(), resolved_at = date_trunc('milliseconds', now())
  where subject_id = found_report.subject_id and status = 'OPEN';
  return true;
end
$$;
grant execute on function resolve_report(uuid, boolean) to tertulia_server;

-- Whether it is a block of the viewer's own that hides what everyone else sees, or those who take part. Nobody learns who
-- blocked them.
create function viewer_blocked_owner(subject_type text, subject uuid) returns boolean
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
declare
  owner uuid;
begin
  case subject_type
    when 'thought' then select author_id into owner from thoughts where id = subject and status = 'PUBLISHED';
    when 'event' then select author_id into owner from events where id = subject;
    when 'comment' then
      select c.author_id into owner from comments c left join thoughts t on t.id = c.thought_id
      where c.id = subject and (t.id is null or t.status = 'PUBLISHED');
    when 'user' then owner := subject;
    when 'conversation' then
      select pair_with into owner from conversation_members
      where conversation_id = subject and user_id = viewer_id() and left_at is null;
    when 'message' then
      select m.author_id into owner from messages m
      join conversation_members p on p.conversation_id = m.conversation_id
      where m.id = subject and p.user_id = viewer_id() and p.left_at is null and not m.number <@ p.absences;
    else return false;
  end case;
  return exists (select from blocks where blocker_id = viewer_id() and blocked_id = owner);
end
$$;
grant execute on function viewer_blocked_owner(text, uuid) to tertulia_server;

reset role;
alter function resolve_report(uuid, boolean) owner to tertulia_trigger;
alter function viewer_blocked_owner(text, uuid) owner to tertulia_trigger;
