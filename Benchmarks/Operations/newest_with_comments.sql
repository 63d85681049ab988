\set v random(1, :viewers)
select t.id, t.text, t.category, t.created_at, t.like_count, t.comment_count, u.id, u.username, u.display_name,
  exists (
    select from thought_likes l
    where l.thought_id = t.id and l.user_id = (select id from operations.viewers where n = :v)),
  c.id, c.text, c.created_at, a.id, a.username
from (
  select * from thoughts where status = 'PUBLISHED' order by published_at desc, id desc limit 21) t
join users u on u.id = t.author_id
left join lateral (
  select * from comments c where c.thought_id = t.id order by c.created_at, c.id limit 3) c on true
left join users a on a.id = c.author_id
order by t.published_at desc, t.id desc, c.created_at, c.id;
