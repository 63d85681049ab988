-- Images, ana: 1 2 3

-- 1: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 2: read
select viewer_image_bytes();

-- 3: read
select i.id, i.mime_type, i.width, i.height, i.byte_size, image_is_public(i.id, i.owner_id), i.created_at,
    array(select id
  from users
  where avatar_id = i.id
  and id = viewer_id()), array(select id
  from thoughts
  where image_id = i.id
  and author_id = viewer_id()
  order by id desc
  limit $1), array(select id
  from events
  where image_id = i.id
  and author_id = viewer_id()
  order by id desc
  limit $2), array(select id
  from messages
  where image_id = i.id
  and author_id = viewer_id()
  order by id desc
  limit $3)
  from (select *
  from images i
  where i.owner_id = viewer_id()
  and (i.created_at, i.id) > ($4, $5)
  and (i.created_at, i.id) < ($6, $7)
  order by i.created_at desc, i.id desc
  limit 101) i
  order by i.created_at desc, i.id desc
  limit $8;

-- UsedIn, ana: 1 3 4 5 6 7

-- 4: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- 5: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = any($1);

-- 6: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

-- 7: read
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at
  from messages m
  join conversation_members p on p.conversation_id = m.conversation_id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  where m.id = any($1)
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true;

-- NotTheirs, mod: 8 9

-- 8: read
select count(*) > $1
  from ( (select
  from thoughts
  where image_id = $2
  and author_id = viewer_id()
  limit $3) union all (select
  from events
  where image_id = $4
  and author_id = viewer_id()
  limit $5) union all (select
  from messages
  where image_id = $6
  and author_id = viewer_id()
  limit $7)) uses;

-- 9: write
select (select count(*)
  from (select
  from users
  where id = viewer_id()
  and avatar_id = $1 for no key update) u), (select count(*)
  from (select
  from thoughts
  where image_id = $2
  and author_id = viewer_id()
  order by id for no key update) t), (select count(*)
  from (select
  from events
  where image_id = $3
  and author_id = viewer_id()
  order by id for no key update) e);
with target as (select
  from images i
  where i.id = $1
  and (image_is_public(i.id, i.owner_id) or exists (select
  from messages m
  join conversation_members p on p.conversation_id = m.conversation_id
  where m.image_id = i.id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true))), deleted as (delete
  from images i
  where i.id = $2
  and i.owner_id = viewer_id()
  returning i.id) select true
  where case
  when exists (select
  from deleted) then true
  when exists (select
  from target) then refuse('FORBIDDEN')
  else refuse('NOT_FOUND') end;

-- Delete, ana: 8 10 1 2 3

-- 10: write
select (select count(*)
  from (select
  from users
  where id = viewer_id()
  and avatar_id = $1 for no key update) u), (select count(*)
  from (select
  from thoughts
  where image_id = $2
  and author_id = viewer_id()
  order by id for no key update) t), (select count(*)
  from (select
  from events
  where image_id = $3
  and author_id = viewer_id()
  order by id for no key update) e);
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
with target as (select
  from images i
  where i.id = $1
  and (image_is_public(i.id, i.owner_id) or exists (select
  from messages m
  join conversation_members p on p.conversation_id = m.conversation_id
  where m.image_id = i.id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true))), deleted as (delete
  from images i
  where i.id = $2
  and i.owner_id = viewer_id()
  returning i.id) select true
  where case
  when exists (select
  from deleted) then true
  when exists (select
  from target) then refuse('FORBIDDEN')
  else refuse('NOT_FOUND') end;

-- Replayed, ana: 8 10 11 1 2

-- 11: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- NotThere, ana: 8 9 8 9

-- WhatShowedIt, ben: 12 6 13 7

-- 12: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- 13: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.username = $1;

-- Newest, ben: 1 3

-- Next, ben: 1 3

-- Last, ben: 1 14

-- 14: read
select i.id, i.mime_type, i.width, i.height, i.byte_size, image_is_public(i.id, i.owner_id), i.created_at,
    array(select id
  from users
  where avatar_id = i.id
  and id = viewer_id()), array(select id
  from thoughts
  where image_id = i.id
  and author_id = viewer_id()
  order by id desc
  limit $1), array(select id
  from events
  where image_id = i.id
  and author_id = viewer_id()
  order by id desc
  limit $2), array(select id
  from messages
  where image_id = i.id
  and author_id = viewer_id()
  order by id desc
  limit $3)
  from (select *
  from images i
  where i.owner_id = viewer_id()
  and (i.created_at, i.id) > ($4, $5)
  and (i.created_at, i.id) < ($6, $7)
  order by i.created_at asc, i.id asc
  limit 101) i
  order by i.created_at asc, i.id asc
  limit $8;

-- BeforeLast, ben: 1 14
