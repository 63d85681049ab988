-- Everything, ben: 1 2 3 4 5 4

-- 1: slow
select kind, id, score, coalesce($1, now())
  from (select *
  from ( select kind, id, (1e9 * (ts_rank(words, search_query($2)) * case kind
  when 'USER' then 1
  else 0.5 + 0.5 * power(0.5::float8, least(900, extract(epoch
  from coalesce($3, now()) - at)::float8 / 2592000)) end))::bigint as score
  from ((select *
  from search_entries
  where $4
  and kind = 'THOUGHT'
  and words @@ search_query($5)
  and at <= coalesce($6, now())
  order by at desc, id desc
  limit 1000) union all (select *
  from search_entries
  where $7
  and kind = 'EVENT'
  and words @@ search_query($8)
  and at <= coalesce($9, now())
  order by at desc, id desc
  limit 1000) union all (select *
  from search_entries
  where $10
  and kind = 'USER'
  and words @@ search_query($11)
  and at <= coalesce($12, now())
  order by at desc, id desc
  limit 1000)) newest ) scored
  where (score, id) < ($13, $14)
  order by score desc, id desc
  limit 3000) found
  where case kind
  when 'THOUGHT' then (select true
  from thoughts t
  where t.id = found.id)
  when 'EVENT' then (select true
  from events e
  where e.id = found.id)
  else (select true
  from users u
  where u.id = found.id) end
  order by score desc, id desc
  limit $15;

-- 2: slow
select kind, id, score, coalesce($1, now())
  from (select *
  from ( select kind, id, (1e9 * ((words @@ search_query($2))::int + ts_rank(words, search_beginnings($3)) * case kind
  when 'USER' then 1
  else 0.5 + 0.5 * power(0.5::float8, least(900, extract(epoch
  from coalesce($4, now()) - at)::float8 / 2592000)) end))::bigint as score
  from ((select *
  from search_entries
  where $5
  and kind = 'THOUGHT'
  and words @@ search_beginnings($6)
  and at <= coalesce($7, now())
  order by at desc, id desc
  limit 1000) union all (select *
  from search_entries
  where $8
  and kind = 'EVENT'
  and words @@ search_beginnings($9)
  and at <= coalesce($10, now())
  order by at desc, id desc
  limit 1000) union all (select *
  from search_entries
  where $11
  and kind = 'USER'
  and words @@ search_beginnings($12)
  and at <= coalesce($13, now())
  order by at desc, id desc
  limit 1000)) newest ) scored
  where (score, id) < ($14, $15)
  order by score desc, id desc
  limit 3000) found
  where case kind
  when 'THOUGHT' then (select true
  from thoughts t
  where t.id = found.id)
  when 'EVENT' then (select true
  from events e
  where e.id = found.id)
  else (select true
  from users u
  where u.id = found.id) end
  order by score desc, id desc
  limit $16;

-- 3: slow
select kind, id, score, coalesce($1, now())
  from (select *
  from ( select kind, id,
    (1e9 * ((words @@ search_query($2))::int + (words @@ search_beginnings($3))::int + ts_rank(words,
    search_slips($4)) * case kind
  when 'USER' then 1
  else 0.5 + 0.5 * power(0.5::float8, least(900, extract(epoch
  from coalesce($5, now()) - at)::float8 / 2592000)) end))::bigint as score
  from ((select *
  from search_entries
  where $6
  and kind = 'THOUGHT'
  and words @@ search_slips($7)
  and at <= coalesce($8, now())
  order by at desc, id desc
  limit 1000) union all (select *
  from search_entries
  where $9
  and kind = 'EVENT'
  and words @@ search_slips($10)
  and at <= coalesce($11, now())
  order by at desc, id desc
  limit 1000) union all (select *
  from search_entries
  where $12
  and kind = 'USER'
  and words @@ search_slips($13)
  and at <= coalesce($14, now())
  order by at desc, id desc
  limit 1000)) newest ) scored
  where (score, id) < ($15, $16)
  order by score desc, id desc
  limit 3000) found
  where case kind
  when 'THOUGHT' then (select true
  from thoughts t
  where t.id = found.id)
  when 'EVENT' then (select true
  from events e
  where e.id = found.id)
  else (select true
  from users u
  where u.id = found.id) end
  order by score desc, id desc
  limit $17;

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

-- Words, ana: 1 1 1 1 1 1 1 1 1 1 1 1 2 3 5 2 3 5 2 3 5 2 3 6 2 3 6 2 3 4 2 3 5 2 3 2 3 2 3 2 3 2 3

-- 6: read
select e.id, e.author_id, e.name, e.description, e.location, e.image_id, e.starts_at, e.ends_at, e.time_zone,
    e.cancelled_at, e.created_at, e.updated_at, e.interested_count, e.going_count, e.comment_count, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_event(e.id) end
  from events e
  where e.id = any($1);

-- Kinds, nobody: 1 1 1 1 2 3 5 2 3 6 2 3 5 6 2 3 4 5

-- FirstPage, ben: 1 2 3 4 5

-- NextPage, ben: 3 5
