-- NewestFirst, nobody: 1 2

-- 1: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- 2: read
select page.user_id, page.username, page.display_name, page.is_anonymous, page.bio, page.avatar_id, page.joined_at,
    page.created_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select l.user_id, l.created_at, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id,
    u.created_at as joined_at
  from thought_likes l
  join users u on u.id = l.user_id
  where l.thought_id = parent.id
  and not u.is_anonymous
  and (l.created_at, l.user_id) > ($2, $3)
  and (l.created_at, l.user_id) < ($4, $5)
  order by l.created_at desc, l.user_id desc
  limit 101) page
  order by page.created_at desc, page.user_id desc
  limit $6) page
  order by parent.n;

-- FirstPage, nobody: 1 2

-- SecondPage, nobody: 1 2

-- ThirdPage, nobody: 1 2

-- OfSeveral, nobody: 3 2

-- 3: read
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

-- TooMany, nobody: 1

-- Last, nobody: 1 4

-- 4: read
select page.user_id, page.username, page.display_name, page.is_anonymous, page.bio, page.avatar_id, page.joined_at,
    page.created_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select l.user_id, l.created_at, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id,
    u.created_at as joined_at
  from thought_likes l
  join users u on u.id = l.user_id
  where l.thought_id = parent.id
  and not u.is_anonymous
  and (l.created_at, l.user_id) > ($2, $3)
  and (l.created_at, l.user_id) < ($4, $5)
  order by l.created_at asc, l.user_id asc
  limit 101) page
  order by page.created_at asc, page.user_id asc
  limit $6) page
  order by parent.n;

-- BeforeLast, nobody: 1 4
