set local role tertulia_owner;

create table thoughts (
  id uuid primary key,
  author_id uuid not null references users on delete cascade,
  category text not null check (category in ('FUNNY', 'SERIOUS', 'CRAZY')),
  title text,
  text text not null,
  image_id uuid references images on delete set null,
  status text not null check (status in ('DRAFT', 'PUBLISHED')),
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  published_at timestamptz,
  updated_at timestamptz not null default date_trunc('milliseconds', now()),
  like_count integer not null default 0,
  comment_count integer not null default 0,
  save_count integer not null default 0,
  share_count integer not null default 0,
  rating_count integer not null default 0,
  rating_total integer not null default 0,
  check ((status = 'PUBLISHED') = (published_at is not null))
) with (fillfactor = 85);
create index thoughts_newest on thoughts (published_at desc, id desc) where status = 'PUBLISHED';
create index thoughts_newest_of_category on thoughts (category, published_at desc, id desc) where status = 'PUBLISHED';
create index thoughts_newest_of_author on thoughts (author_id, published_at desc, id desc) where status = 'PUBLISHED';
create index thoughts_of_author on thoughts (author_id, created_at desc, id desc);
create index thoughts_of_image on thoughts (image_id) where image_id is not null;
create index thoughts_most_liked on thoughts (like_count desc, id desc) where status = 'PUBLISHED';
create index thoughts_most_discussed on thoughts (comment_count desc, id desc) where status = 'PUBLISHED';
-- A Bayesian mean in millistars: five ratings of three stars are taken as given, so that one five-star vote does not win.
-- An expression, not a generated column: that would be parsed anew by every update of a counter.
create index thoughts_best_rated on thoughts ((1000 * (rating_total + 15) / (rating_count + 5)) desc, id desc)
  where status = 'PUBLISHED';

-- The user's foreign key is made, and so checked, before the thought's: whatever deletes an account locks it first too.
create table thought_likes (
  thought_id uuid not null,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (thought_id, user_id),
  foreign key (thought_id) references thoughts on delete cascade
);
create index on thought_likes (user_id, created_at desc, thought_id desc);

create table thought_saves (like thought_likes including all);
alter table thought_saves
  add foreign key (user_id) references users on delete cascade,
  add foreign key (thought_id) references thoughts on delete cascade;

create index on thought_likes (thought_id, created_at desc, user_id desc);

create table thought_ratings (
  thought_id uuid not null,
  user_id uuid not null references users on delete cascade,
  stars integer not null check (stars between 1 and 5),
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (thought_id, user_id),
  foreign key (thought_id) references thoughts on delete cascade
);
create index on thought_ratings (user_id);

alter table thoughts enable row level security;
alter table thoughts force row level security;
alter table thought_likes enable row level security;
alter table thought_likes force row level security;
alter table thought_saves enable row level security;
alter table thought_saves force row level security;
alter table thought_ratings enable row level security;
alter table thought_ratings force row level security;

create policy visible on thoughts for select to tertulia_server using (status = 'PUBLISHED' or author_id = (select viewer_id()));
create policy create_own on thoughts for insert to tertulia_server
  with check (author_id = (select viewer_id()) and (select viewer_is_member()));
create policy update_own on thoughts for update to tertulia_server
  using (author_id = (select viewer_id())) with check (author_id = (select viewer_id()));
create policy delete_own on thoughts for delete to tertulia_server
  using (author_id = (select viewer_id()) or (select viewer_is_moderator()));
create policy counters on thoughts to tertulia_trigger using (true);

create policy visible on thought_likes for select to tertulia_server
  using (user_id = (select viewer_id()) or exists (select from thoughts t where t.id = thought_id));
create policy create_own on thought_likes for insert to tertulia_server
  with check (user_id = (select viewer_id()) and exists (select from thoughts t where t.id = thought_id));
create policy delete_own on thought_likes for delete to tertulia_server using (user_id = (select viewer_id()));
create policy own on thought_saves for select to tertulia_server using (user_id = (select viewer_id()));
create policy own on thought_ratings for select to tertulia_server using (user_id = (select viewer_id()));

grant select, delete on thoughts to tertulia_server;
grant insert (id, author_id, category, title, text, image_id, status, published_at) on thoughts to tertulia_server;
grant update (category, title, text, image_id, status, published_at, updated_at) on thoughts to tertulia_server;
grant select, update (like_count, comment_count, save_count, share_count, rating_count, rating_total)
  on thoughts to tertulia_trigger;
grant select, delete on thought_likes to tertulia_server;
grant insert (thought_id, user_id) on thought_likes to tertulia_server;
grant select on thought_saves, thought_ratings to tertulia_server;

create function log_thought_changes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    insert into change_log (type, object_id, after)
    select 'thought', n.id, row(n.author_id, n.status, n.category, null, null)::change_state
    from changed_to n order by n.id;
  elsif tg_op = 'UPDATE' then
    insert into change_log (type, object_id, before, after)
    select 'thought', n.id, row(o.author_id, o.status, o.category, null, null)::change_state,
      row(n.author_id, n.status, n.category, null, null)::change_state
    from changed_to n join changed_from o using (id) order by n.id;
  else
    insert into change_log (type, object_id, before)
    select 'thought', o.id, row(o.author_id, o.status, o.category, null, null)::change_state
    from changed_from o order by o.id;
  end if;
  return null;
end
$$;
create trigger log_insert after insert on thoughts
  referencing new table as changed_to for each statement execute function log_thought_changes();
-- Counters are changed by triggers alone, which write the row of the log themselves. Not pg_trigger_depth(): a foreign
-- key's action, such as the loss of an image, is a trigger too.
create trigger log_update after update on thoughts
  referencing old table as changed_from new table as changed_to for each statement
  when (current_user <> 'tertulia_trigger') execute function log_thought_changes();
create trigger log_delete after delete on thoughts
  referencing old table as changed_from for each statement execute function log_thought_changes();

-- What takes a row away that a thought counts locks the thought first, as the thought's own deletion does: the counter's
-- update comes after the row's deletion, and the two would wait for each other.
create function lock_thought(thought uuid) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform from thoughts where id = thought for no key update;
  return true;
end
$$;
grant execute on function lock_thought(uuid) to tertulia_server;

-- Called for the thoughts in the order of their ids, so that two statements never wait for each other in a circle.
create function add_to_like_count(thought uuid, step integer) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  with counted as (
    update thoughts set like_count = like_count + step where id = thought
    returning id, row(author_id, status, category, null, null)::change_state as state
  )
  insert into change_log (type, object_id, before, after, counters_only)
  select 'thought', id, state, state, true from counted;
end
$$;

create function count_thought_likes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform add_to_like_count(thought_id, case tg_op when 'INSERT' then n else -n end) from (
    select thought_id, count(*)::integer as n from changed group by 1 order by 1
  ) as thoughts;
  return null;
end
$$;
create trigger count_insert after insert on thought_likes
  referencing new table as changed for each statement execute function count_thought_likes();
create trigger count_delete after delete on thought_likes
  referencing old table as changed for each statement execute function count_thought_likes();

reset role;
alter function lock_thought(uuid) owner to tertulia_trigger;
alter function add_to_like_count(uuid, integer) owner to tertulia_trigger;
alter function log_thought_changes() owner to tertulia_trigger;
alter function count_thought_likes() owner to tertulia_trigger;
