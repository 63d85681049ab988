\set n random(1, :thoughts)
select t.id, t.text, t.category, t.created_at, t.like_count, t.comment_count, u.id, u.username, u.display_name
from thoughts t join users u on u.id = t.author_id
where t.id = (select id from operations.thoughts where n = :n);
