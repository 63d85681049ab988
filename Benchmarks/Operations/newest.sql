select t.id, t.text, t.category, t.created_at, t.like_count, t.comment_count, u.id, u.username, u.display_name
from (
  select * from thoughts where status = 'PUBLISHED' order by published_at desc, id desc limit 21) t
join users u on u.id = t.author_id
order by t.published_at desc, t.id desc;
