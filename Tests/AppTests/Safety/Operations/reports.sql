-- Report, ben: 1 2

-- 1: write
select pg_advisory_xact_lock(hashtextextended($1, 0));
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', coalesce((select r.id
  from reports r
  where r.reporter_id = viewer_id()
  and r.subject_id = $5
  and r.status = 'OPEN'), $6)));
insert into reports (id, reporter_id, subject_type, subject_id, reason, note) select $1, viewer_id(), $2, $3, $4, $5
  where coalesce((select owner <> viewer_id() or refuse('USER_ERRORS', 'NOT_ALLOWED subjectId')
  from (select t.author_id
  from thoughts t
  where t.id = $6
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())) as subjects (owner)), refuse('NOT_FOUND'))
  on conflict (reporter_id, subject_id)
  where status = 'OPEN' do nothing;
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from reports r
  where r.reporter_id = viewer_id()
  and r.subject_id = $1
  and r.status = 'OPEN';

-- 2: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = any($1);

-- TheSameUntilItIsDecided, ben: 1

-- Replay, ben: 1 3 4

-- 3: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 4: write
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from reports r
  where r.id = any($1);

-- Node, ben: 5

-- 5: read
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from reports r
  where r.id = any($1);

-- Others, ben: 6 7 8 9 10 11

-- 6: write
select pg_advisory_xact_lock(hashtextextended($1, 0));
insert into reports (id, reporter_id, subject_type, subject_id, reason, note) select $1, viewer_id(), $2, $3, $4, $5
  where coalesce((select owner <> viewer_id() or refuse('USER_ERRORS', 'NOT_ALLOWED subjectId')
  from (select c.author_id
  from comments c
  where c.id = $6
  and (c.author_id <> all(hidden_ids())
  and (c.thought_id is null or exists (select
  from thoughts t
  where t.id = c.thought_id
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())))
  and (c.event_id is null or exists (select
  from events e
  where e.id = c.event_id
  and (e.author_id <> all(hidden_ids())))))) as subjects (owner)), refuse('NOT_FOUND'))
  on conflict (reporter_id, subject_id)
  where status = 'OPEN' do nothing;
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from reports r
  where r.reporter_id = viewer_id()
  and r.subject_id = $1
  and r.status = 'OPEN';

-- 7: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at
  from comments c
  where c.id = any($1);

-- 8: write
select pg_advisory_xact_lock(hashtextextended($1, 0));
insert into reports (id, reporter_id, subject_type, subject_id, reason, note) select $1, viewer_id(), $2, $3, $4, $5
  where coalesce((select owner <> viewer_id() or refuse('USER_ERRORS', 'NOT_ALLOWED subjectId')
  from (select e.author_id
  from events e
  where e.id = $6
  and (e.author_id <> all(hidden_ids()))) as subjects (owner)), refuse('NOT_FOUND'))
  on conflict (reporter_id, subject_id)
  where status = 'OPEN' do nothing;
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from reports r
  where r.reporter_id = viewer_id()
  and r.subject_id = $1
  and r.status = 'OPEN';

-- 9: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

-- 10: write
select pg_advisory_xact_lock(hashtextextended($1, 0));
insert into reports (id, reporter_id, subject_type, subject_id, reason, note) select $1, viewer_id(), $2, $3, $4, $5
  where coalesce((select owner <> viewer_id() or refuse('USER_ERRORS', 'NOT_ALLOWED subjectId')
  from (select u.id
  from users u
  where u.id = $6
  and u.id <> all(hidden_ids())) as subjects (owner)), refuse('NOT_FOUND'))
  on conflict (reporter_id, subject_id)
  where status = 'OPEN' do nothing;
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from reports r
  where r.reporter_id = viewer_id()
  and r.subject_id = $1
  and r.status = 'OPEN';

-- 11: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- NotThere, ben: 12 10 12 12 13

-- 12: write
select pg_advisory_xact_lock(hashtextextended($1, 0));
insert into reports (id, reporter_id, subject_type, subject_id, reason, note) select $1, viewer_id(), $2, $3, $4, $5
  where coalesce((select owner <> viewer_id() or refuse('USER_ERRORS', 'NOT_ALLOWED subjectId')
  from (select t.author_id
  from thoughts t
  where t.id = $6
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())) as subjects (owner)), refuse('NOT_FOUND'))
  on conflict (reporter_id, subject_id)
  where status = 'OPEN' do nothing;
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from reports r
  where r.reporter_id = viewer_id()
  and r.subject_id = $1
  and r.status = 'OPEN';

-- 13: write
select pg_advisory_xact_lock(hashtextextended($1, 0));
select refuse('NOT_FOUND');
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from reports r
  where r.reporter_id = viewer_id()
  and r.subject_id = $1
  and r.status = 'OPEN';

-- ForModerators, mod: 14 15 11 2 7 9 16 11

-- 14: read
select viewer_is_moderator();

-- 15: read
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from (select *
  from reports r
  where r.status = $1
  and (r.created_at, r.id) > ($2, $3)
  and (r.created_at, r.id) < ($4, $5)
  order by r.created_at asc, r.id asc
  limit 101) r
  order by r.created_at asc, r.id asc
  limit $6;

-- 16: read
select i.id, i.mime_type, i.width, i.height, i.byte_size, i.report_id
  from report_images i
  where i.report_id = any($1)
  and viewer_is_moderator()
  order by i.id;

-- FirstPage, mod: 14 15 7

-- NextPage, mod: 14 15

-- Dismiss, mod: 17 9 11

-- 17: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
select resolve_report($1, $2);
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from reports r
  where r.id = any($1);

-- DismissTwice, mod: 18 18

-- 18: write
select resolve_report($1, $2);
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from reports r
  where r.id = any($1);

-- Remove, mod: 17 2 11 11

-- ReplayOfRemoval, mod: 17 3 4

-- AllReportsOfItAreDecided, mod: 19 5 11

-- 19: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- Decided, mod: 14 15 14 15 2

-- RemoveOfAPerson, mod: 18 11

-- Last, mod: 14 20

-- 20: read
select r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, case
  when (select viewer_is_moderator()) then r.reporter_id end, case
  when (select viewer_is_moderator()) then r.resolved_by end
  from (select *
  from reports r
  where r.status = $1
  and (r.created_at, r.id) > ($2, $3)
  and (r.created_at, r.id) < ($4, $5)
  order by r.created_at desc, r.id desc
  limit 101) r
  order by r.created_at desc, r.id desc
  limit $6;

-- BeforeLast, mod: 14 20
