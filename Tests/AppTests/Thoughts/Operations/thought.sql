-- EveryField, ana: 1 2 3 4 5

-- 1: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end, u.id, u.username, u.display_name, u.is_anonymous, u.bio,
    u.avatar_id, u.created_at
  from thoughts t
  join users u on u.id = t.author_id
  where t.id = $1;

-- 2: read
select thought_id
  from thought_likes
  where user_id = $1
  and thought_id = any($2);

-- 3: read
select thought_id
  from thought_saves
  where user_id = $1
  and thought_id = any($2);

-- 4: read
select thought_id, stars
  from thought_ratings
  where user_id = $1
  and thought_id = any($2);

-- 5: read
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

-- WithComments, ana: 1 6

-- 6: read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, u.id, u.username, u.display_name,
    u.is_anonymous, u.bio, u.avatar_id, u.created_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  cross join lateral (select *
  from (select *
  from comments c
  where c.thought_id = parent.id
  and (c.created_at, c.id) > ($2, $3)
  and (c.created_at, c.id) < ($4, $5)
  order by c.created_at asc, c.id asc
  limit 101) c
  order by c.created_at asc, c.id asc
  limit $6) c
  join users u on u.id = c.author_id
  order by parent.n;

-- Moderator, mod: 7 8 9

-- 7: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from thoughts t
  where t.id = $1;

-- 8: read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at,
    t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, case
  when (select exists (select
  from deleted_accounts)) then gone_acts_on_thought(t.id) end
  from (select *
  from thoughts t
  where t.status = 'PUBLISHED'
  and t.author_id = $1
  and (t.published_at, t.id) > ($2, $3)
  and (t.published_at, t.id) < ($4, $5)
  order by t.published_at desc, t.id desc
  limit 101) t
  order by t.published_at desc, t.id desc
  limit $6;

-- 9: read
select viewer_is_moderator();

-- DraftsAreTheirAuthors, ana: 7

-- NotThere, nobody: 7

-- Marks, ben: 7 2 3 4 10

-- 10: read
select i.id, i.mime_type, i.width, i.height, i.byte_size
  from images i
  where i.id = any($1);
