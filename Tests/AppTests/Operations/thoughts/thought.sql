-- read
select t.id, t.author_id, t.category, t.title, t.text, t.image_id, t.status, t.created_at, t.published_at, t.updated_at, t.like_count, t.comment_count, t.save_count, t.share_count, t.rating_count, t.rating_total, t.rating_rank, u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at from thoughts t join users u on u.id = t.author_id where t.id = $1;

-- read
select c.id, c.author_id, c.thought_id, c.event_id, c.text, c.created_at, c.edited_at, u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, parent.n from unnest($1) with ordinality as parent (id, n) cross join lateral (select * from comments c where c.thought_id = parent.id and (c.created_at, c.id) > ($2, $3) and (c.created_at, c.id) < ($4, $5) order by c.created_at asc, c.id asc limit $6) c join users u on u.id = c.author_id order by parent.n, c.created_at asc, c.id asc;
