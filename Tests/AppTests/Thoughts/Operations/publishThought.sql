-- Publish, ana: 1

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
update thoughts
  set status = 'PUBLISHED', published_at = date_trunc('milliseconds', now())
  where id = $1
  and author_id = viewer_id()
  and status = 'DRAFT';
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  where case
  when t.id is null then refuse('NOT_FOUND')
  when t.author_id <> viewer_id() then refuse('FORBIDDEN')
  else true end;

-- NewestOfAll, nobody: 2 3

-- 2: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select *
  from thoughts t
  where t.status = 'PUBLISHED'
  and (t.published_at, t.id) > ($1, $2)
  and (t.published_at, t.id) < ($3, $4)
  order by t.published_at desc, t.id desc
  limit 101) t
  order by t.published_at desc, t.id desc
  limit $5;

-- 3: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from (select *
  from events e
  where (e.created_at, e.id) > ($1, $2)
  and (e.created_at, e.id) < ($3, $4)
  order by e.created_at desc, e.id desc
  limit 101) e
  order by e.created_at desc, e.id desc
  limit $5;

-- PublishedAlready, ana: 4

-- 4: write
update thoughts
  set status = 'PUBLISHED', published_at = date_trunc('milliseconds', now())
  where id = $1
  and author_id = viewer_id()
  and status = 'DRAFT';
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  where case
  when t.id is null then refuse('NOT_FOUND')
  when t.author_id <> viewer_id() then refuse('FORBIDDEN')
  else true end;

-- Unpublish, ana: 5

-- 5: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
update thoughts
  set status = 'DRAFT', published_at = null
  where id = $1
  and author_id = viewer_id()
  and status = 'PUBLISHED';
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  where case
  when t.id is null then refuse('NOT_FOUND')
  when t.author_id <> viewer_id() then refuse('FORBIDDEN')
  else true end;

-- UnpublishedAlready, ana: 6

-- 6: write
update thoughts
  set status = 'DRAFT', published_at = null
  where id = $1
  and author_id = viewer_id()
  and status = 'PUBLISHED';
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select) as one
  left join thoughts t on t.id = $1
  and (t.status = 'PUBLISHED'
  and t.author_id <> all(hidden_ids()) or t.author_id = viewer_id())
  where case
  when t.id is null then refuse('NOT_FOUND')
  when t.author_id <> viewer_id() then refuse('FORBIDDEN')
  else true end;

-- Hidden, ana: 7 8 2 3

-- 7: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- 8: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at
  from comments c
  where c.id = any($1);

-- Wrong, ana: 4 6
