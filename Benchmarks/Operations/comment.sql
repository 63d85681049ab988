-- Runs without triggers, so the statement counts the comment itself.
\set n random(1, :thoughts)
\set v random(1, :viewers)
with subject as (
  select id from operations.thoughts where n = :n),
viewer as (
  select id from operations.viewers where n = :v),
comment as (
  insert into comments (id, author_id, thought_id, text)
  select gen_random_uuid(), viewer.id, subject.id,
    'What people say of each other''s thoughts when they meet, in some eighty characters.'
  from subject, viewer
  returning *),
counted as (
  update thoughts set comment_count = comment_count + 1 where id = (select id from subject))
select c.id, c.text, c.created_at, u.id, u.username from comment c join users u on u.id = c.author_id;
