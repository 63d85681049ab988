-- Newest, ana: 1 2 3 4

-- 1: read
select c.id, c.created_at, p.last_message_at
  from conversation_members p
  join conversations c on c.id = p.conversation_id
  where p.conversation_id = any($1)
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true;

-- 2: read
select p.conversation_id, (select count(*)
  from messages m
  where m.conversation_id = p.conversation_id
  and m.number > p.last_read_number
  and m.author_id is distinct
  from viewer_id()
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true)::integer
  from conversation_members p
  where p.conversation_id = any($1)
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and p.newest_from_others > p.last_read_number;

-- 3: read
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  join conversation_members p on p.conversation_id = parent.id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  cross join lateral (select *
  from (select *
  from messages m
  where m.conversation_id = parent.id
  and m.number > $2
  and m.number < $3
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  order by m.number desc
  limit 101) m
  order by m.number desc
  limit $4) m
  order by parent.n;

-- 4: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at
  from users u
  where u.id = any($1);

-- Older, ana: 1 3

-- Newer, ana: 1 5

-- 5: read
select m.id, m.conversation_id, m.author_id, m.text, m.image_id, m.number, m.created_at, m.edited_at, parent.n
  from unnest($1) with ordinality as parent (id, n)
  join conversation_members p on p.conversation_id = parent.id
  and p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  cross join lateral (select *
  from (select *
  from messages m
  where m.conversation_id = parent.id
  and m.number > $2
  and m.number < $3
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true
  order by m.number asc
  limit 101) m
  order by m.number asc
  limit $4) m
  order by parent.n;

-- Oldest, ana: 1 5 1

-- All, ben: 6 7 8 2 3 4

-- 6: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- 7: read
select coalesce(sum((select count(*)
  from messages m
  where m.conversation_id = p.conversation_id
  and m.number > p.last_read_number
  and m.author_id is distinct
  from viewer_id()
  and not m.number <@ p.absences
  and (m.author_id = any((select people_hidden_from_viewer())::uuid[])) is not true)), 0)::integer
  from conversation_members p
  where p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and p.newest_from_others > p.last_read_number;

-- 8: read
select c.id, c.created_at, p.last_message_at
  from (select *
  from conversation_members p
  where p.user_id = viewer_id()
  and p.left_at is null
  and (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
  and (p.last_message_at, p.conversation_id) > ($1, $2)
  and (p.last_message_at, p.conversation_id) < ($3, $4)
  order by p.last_message_at desc, p.conversation_id desc
  limit 101) p
  join conversations c on c.id = p.conversation_id
  order by p.last_message_at desc, p.conversation_id desc
  limit $5;
