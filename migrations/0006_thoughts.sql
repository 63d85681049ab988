set local role tertulia_owner;

-- A table's CHECK constraints are parsed anew by every statement that writes to the table, updates of counters
-- included. A trigger on the columns that a constraint names runs only where one of these is written.
create function violate_check() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise check_violation using constraint = tg_argv[0], table = tg_table_name, schema = tg_table_schema,
    message = format('new row for relation "%s" violates check constraint "%s"', tg_table_name, tg_argv[0]);
end
$$;

create table thoughts (
  id uuid primary key,
  author_id uuid not null references users on delete cascade,
  category text not null,
  title text,
  text text not null,
  image_id uuid references images on delete set null,
  status text not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  published_at timestamptz,
  updated_at timestamptz not null default date_trunc('milliseconds', now()),
  like_count integer not null default 0,
  comment_count integer not null default 0,
  save_count integer not null default 0,
  share_count integer not null default 0,
  rating_count integer not null default 0,
  rating_total integer not null default 0
) with (fillfactor = 85);
create index thoughts_newest on thoughts (published_at desc, id desc) where status = 'PUBLISHED';
create index thoughts_newest_of_category on thoughts (category, published_at desc, id desc) where status = 'PUBLISHED';
create index thoughts_newest_of_author on thoughts (author_id, published_at desc, id desc) where status = 'PUBLISHED';
create index thoughts_of_author on thoughts (author_id, created_at desc, id desc);
create index thoughts_of_image on thoughts (image_id) where image_id is not null;
create trigger thoughts_category_check before insert or update of category on thoughts
  for each row when (new.category not in ('FUNNY', 'SERIOUS', 'CRAZY'))
  execute function violate_check('thoughts_category_check');
create trigger thoughts_status_check before insert or update of status on thoughts
  for each row when (new.status not in ('DRAFT', 'PUBLISHED'))
  execute function violate_check('thoughts_status_check');
create trigger thoughts_check before insert or update of status, published_at on thoughts
  for each row when ((new.status = 'PUBLISHED') <> (new.published_at is not null))
  execute function violate_check('thoughts_check');

-- The user's foreign key is made, and so checked, before the thought's: whatever deletes an account locks it first,
-- too.
create table thought_likes (
  thought_id uuid not null,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (thought_id, user_id),
  foreign key (thought_id) references thoughts on delete cascade
);
create index on thought_likes (user_id, created_at desc, thought_id desc);
create index on thought_likes (thought_id, created_at desc, user_id desc);

create table thought_saves (
  thought_id uuid not null,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (thought_id, user_id),
  foreign key (thought_id) references thoughts on delete cascade
);
create index on thought_saves (user_id, created_at desc, thought_id desc);

create table thought_ratings (
  thought_id uuid not null,
  user_id uuid not null references users on delete cascade,
  stars integer not null check (stars between 1 and 5),
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (thought_id, user_id),
  foreign key (thought_id) references thoughts on delete cascade
);
create index on thought_ratings (user_id);
-- Times rise nearly in the order of the rows, so that a summary of each range of pages finds an interval; it costs a
-- rating next to nothing.
create index thought_ratings_created on thought_ratings using brin (created_at) with (autosummarize = on);

-- Each row is an act of sharing: it stays counted when the account that shared goes.
create table thought_shares (
  id bigint generated always as identity primary key,
  user_id uuid references users on delete set null,
  thought_id uuid not null references thoughts on delete cascade,
  created_at timestamptz not null default date_trunc('milliseconds', now())
);
create index on thought_shares (user_id) where user_id is not null;
create index on thought_shares (thought_id);

alter table thoughts enable row level security, force row level security;
alter table thought_likes enable row level security, force row level security;
alter table thought_saves enable row level security, force row level security;
alter table thought_ratings enable row level security, force row level security;
alter table thought_shares enable row level security, force row level security;

create policy visible on thoughts for select to tertulia_server
  using (status = 'PUBLISHED' or author_id = (select viewer_id()));
create policy create_own on thoughts for insert to tertulia_server
  with check (author_id = (select viewer_id()) and (select viewer_is_member()));
create policy update_own on thoughts for update to tertulia_server
  using (author_id = (select viewer_id())) with check (author_id = (select viewer_id()));
create policy delete_own on thoughts for delete to tertulia_server
  using (author_id = (select viewer_id()) or (select viewer_is_moderator()));
create policy not_hidden on thoughts as restrictive for select to tertulia_server
  using (coalesce(author_id <> all ((select listed_hidden_ids())::uuid[]), not viewer_hides(author_id)));
create policy not_deleted on thoughts as restrictive for select to tertulia_server
  using (not exists (select from deleted_accounts) or not is_being_deleted(author_id));
create policy accounts on thoughts to tertulia_worker using (true);
create policy counters on thoughts to tertulia_trigger using (true);

-- Whether the policies show the thought. For policies where a row seldom needs it: PostgreSQL prepares a sub-select, with
-- those of the policies within, in every execution. Runs with the search_path of its caller, as setting it costs as much.
create function thought_is_visible(thought uuid) returns boolean
  language plpgsql stable parallel safe
as $$
begin
  return exists (select from thoughts where id = thought);
end
$$;

-- What is not visible under the policies of thoughts can be neither liked, saved, rated nor shared. Most reads of likes
-- ask for the viewer's own.
create policy visible on thought_likes for select to tertulia_server
  using (user_id = (select viewer_id()) or thought_is_visible(thought_id));
create policy create_own on thought_likes for insert to tertulia_server
  with check (user_id = (select viewer_id()) and exists (select from thoughts t where t.id = thought_id));
create policy delete_own on thought_likes for delete to tertulia_server using (user_id = (select viewer_id()));
create policy not_hidden on thought_likes as restrictive for select to tertulia_server
  using (coalesce(user_id <> all ((select listed_hidden_ids())::uuid[]), not viewer_hides(user_id)));
create policy not_deleted on thought_likes as restrictive for select to tertulia_server
  using (not exists (select from deleted_accounts) or not is_being_deleted(user_id));
create policy accounts on thought_likes to tertulia_worker using (true);
create policy locks on thought_likes for select to tertulia_trigger using (true);

create policy own on thought_saves for select to tertulia_server using (user_id = (select viewer_id()));
create policy create_own on thought_saves for insert to tertulia_server
  with check (user_id = (select viewer_id()) and exists (select from thoughts t where t.id = thought_id));
create policy delete_own on thought_saves for delete to tertulia_server using (user_id = (select viewer_id()));
create policy accounts on thought_saves to tertulia_worker using (true);
create policy locks on thought_saves for select to tertulia_trigger using (true);

create policy own on thought_ratings for select to tertulia_server using (user_id = (select viewer_id()));
create policy create_own on thought_ratings for insert to tertulia_server
  with check (user_id = (select viewer_id()) and exists (select from thoughts t where t.id = thought_id));
create policy update_own on thought_ratings for update to tertulia_server
  using (user_id = (select viewer_id()))
  with check (user_id = (select viewer_id()) and exists (select from thoughts t where t.id = thought_id));
create policy delete_own on thought_ratings for delete to tertulia_server using (user_id = (select viewer_id()));
create policy accounts on thought_ratings to tertulia_worker using (true);
create policy locks on thought_ratings for select to tertulia_trigger using (true);

create policy create_own on thought_shares for insert to tertulia_server
  with check (user_id = (select viewer_id())
    and exists (select from thoughts t where t.id = thought_id and t.status = 'PUBLISHED'));
create policy accounts on thought_shares to tertulia_worker using (true);
create policy audit on thought_shares for select to tertulia_trigger using (true);

grant select, delete on thoughts to tertulia_server, tertulia_worker, tertulia_trigger;
grant insert (id, author_id, category, title, text, image_id, status, published_at) on thoughts to tertulia_server;
grant update (category, title, text, image_id, status, published_at, updated_at) on thoughts to tertulia_server;
grant update (image_id) on thoughts to tertulia_worker;
grant update (like_count, comment_count, save_count, share_count, rating_count, rating_total) on thoughts to
  tertulia_trigger;
grant execute on function thought_is_visible(uuid) to tertulia_server;
grant select, delete on thought_likes to tertulia_server, tertulia_worker;
grant insert (thought_id, user_id) on thought_likes to tertulia_server;
grant update (user_id) on thought_likes to tertulia_worker;
grant select on thought_likes to tertulia_trigger;
grant select, delete on thought_saves to tertulia_server, tertulia_worker;
grant insert (thought_id, user_id) on thought_saves to tertulia_server;
grant update (user_id) on thought_saves to tertulia_worker;
grant select on thought_saves to tertulia_trigger;
grant select, delete on thought_ratings to tertulia_server, tertulia_worker;
grant insert (thought_id, user_id, stars) on thought_ratings to tertulia_server;
grant update (stars) on thought_ratings to tertulia_server;
grant update (user_id) on thought_ratings to tertulia_worker;
grant select on thought_ratings to tertulia_trigger;
grant insert (user_id, thought_id) on thought_shares to tertulia_server;
grant select, delete on thought_shares to tertulia_worker;
grant update (user_id) on thought_shares to tertulia_worker;
grant select on thought_shares to tertulia_trigger;

create trigger refuse_suspended before insert or update or delete on thoughts
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();
create trigger refuse_suspended before insert or update or delete on thought_likes
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();
create trigger refuse_suspended before insert or update or delete on thought_saves
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();
create trigger refuse_suspended before insert or update or delete on thought_ratings
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();
create trigger refuse_suspended before insert or update or delete on thought_shares
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();

create function log_thought_insert() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, after)
  values ('thought', new.id, row(new.author_id, new.status, new.category, null, null, null)::change_state);
  return null;
end
$$;

-- Counters are changed by triggers alone, which write the row of the log themselves. Not pg_trigger_depth(): a foreign
-- key's action, such as the loss of an image, is a trigger, too. Row by row: a trigger with transition tables copies
-- every changed row, also where its condition then says no.
create function log_thought_update() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, before, after)
  values ('thought', new.id, row(old.author_id, old.status, old.category, null, null, null)::change_state,
    row(new.author_id, new.status, new.category, null, null, null)::change_state);
  return null;
end
$$;

create function log_thought_deletion() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, before)
  select 'thought', o.id, row(o.author_id, o.status, o.category, null, null, null)::change_state
  from changed_from o order by o.id;
  return null;
end
$$;
create trigger log_insert after insert on thoughts for each row execute function log_thought_insert();
create trigger log_update after update on thoughts
  for each row when (current_user <> 'tertulia_trigger') execute function log_thought_update();
create trigger log_delete after delete on thoughts
  referencing old table as changed_from for each statement execute function log_thought_deletion();

create trigger release_image_update after update of image_id on thoughts for each row
  when (old.image_id is distinct from new.image_id) execute function release_image();
create trigger release_image_delete after delete on thoughts for each row
  when (old.image_id is not null) execute function release_image();

-- Locks a thought. A statement that deletes a row that a thought counts calls this first, since the thought's own
-- deletion locks the thought first: the counter's update would come after the row's deletion, and the two would wait
-- for each other.
create function lock_thought(thought uuid) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform from thoughts where id = thought for no key update;
  return true;
end
$$;

-- The functions add_to_… are called for several thoughts in the order of their ids, so that two statements never wait
-- for each other in a circle.
create function add_to_like_count(thought uuid, step integer) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  with counted as (
    update thoughts set like_count = like_count + step where id = thought
    returning id, row(author_id, status, category, null, null, null)::change_state as state
  )
  insert into change_log (type, object_id, before, after, counters_only)
  select 'thought', id, state, state, true from counted;
end
$$;

-- A request likes one thought, which costs less row by row; likes are removed many at a time with their thought.
create function count_thought_like() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  thought change_state;
begin
  update thoughts set like_count = like_count + 1 where id = new.thought_id
    returning author_id, status, category, null::timestamptz, null::uuid, null::jsonb into thought;
  insert into change_log (type, object_id, before, after, counters_only)
  values ('thought', new.thought_id, thought, thought, true);
  return null;
end
$$;

create function count_removed_likes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform add_to_like_count(thought_id, -n) from (
    select thought_id, count(*)::integer as n from changed group by 1 order by 1
  ) as thoughts;
  return null;
end
$$;
create trigger count_insert after insert on thought_likes for each row execute function count_thought_like();
create trigger count_delete after delete on thought_likes
  referencing old table as changed for each statement execute function count_removed_likes();

create function add_to_mark_counts(thought uuid, saves integer, shares integer, ratings integer, stars integer)
  returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  with counted as (
    update thoughts set save_count = save_count + saves, share_count = share_count + shares,
      rating_count = rating_count + ratings, rating_total = rating_total + stars
    where id = thought
    returning id, row(author_id, status, category, null, null, null)::change_state as state
  )
  insert into change_log (type, object_id, before, after, counters_only)
  select 'thought', id, state, state, true from counted;
end
$$;

create function count_thought_saves() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform add_to_mark_counts(thought_id, case tg_op when 'INSERT' then n else -n end, 0, 0, 0) from (
    select thought_id, count(*)::integer as n from changed group by 1 order by 1
  ) as thoughts;
  return null;
end
$$;
create trigger count_insert after insert on thought_saves
  referencing new table as changed for each statement execute function count_thought_saves();
create trigger count_delete after delete on thought_saves
  referencing old table as changed for each statement execute function count_thought_saves();

create function count_thought_shares() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform add_to_mark_counts(thought_id, 0, case tg_op when 'INSERT' then n else -n end, 0, 0) from (
    select thought_id, count(*)::integer as n from changed group by 1 order by 1
  ) as thoughts;
  return null;
end
$$;
create trigger count_insert after insert on thought_shares
  referencing new table as changed for each statement execute function count_thought_shares();
create trigger count_delete after delete on thought_shares
  referencing old table as changed for each statement execute function count_thought_shares();

create function count_thought_ratings() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_mark_counts(thought_id, 0, 0, n, stars) from (
      select thought_id, count(*)::integer as n, sum(stars)::integer as stars
      from changed_to group by 1 order by 1
    ) as thoughts;
  elsif tg_op = 'DELETE' then
    perform add_to_mark_counts(thought_id, 0, 0, -n, -stars) from (
      select thought_id, count(*)::integer as n, sum(stars)::integer as stars
      from changed_from group by 1 order by 1
    ) as thoughts;
  else
    perform add_to_mark_counts(thought_id, 0, 0, 0, stars) from (
      select thought_id, sum(n.stars - o.stars)::integer as stars
      from changed_to n join changed_from o using (thought_id, user_id)
      where n.stars <> o.stars group by 1 order by 1
    ) as thoughts;
  end if;
  return null;
end
$$;
create trigger count_insert after insert on thought_ratings
  referencing new table as changed_to for each statement execute function count_thought_ratings();
create trigger count_update after update on thought_ratings
  referencing old table as changed_from new table as changed_to for each statement
  execute function count_thought_ratings();
create trigger count_delete after delete on thought_ratings
  referencing old table as changed_from for each statement execute function count_thought_ratings();

-- What accounts that are being removed did to a thought, which its stored counters still count: likes, comments, saves,
-- ratings and stars, with a space between them. Goes through the accounts or through the thought's acts, whichever are
-- fewer.
create function gone_acts_on_thought(thought uuid) returns text
  language plpgsql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
declare
  acts bigint := (
    select like_count::bigint + comment_count + save_count + rating_count from thoughts where id = thought);
  gone uuid[] := array(select user_id from deleted_accounts limit acts + 1);
begin
  if cardinality(gone) > acts then
    return concat_ws(' ',
      (select count(*) from thought_likes a where a.thought_id = thought
        and (select true from deleted_accounts d where d.user_id = a.user_id)),
      (select count(*) from comments a where a.thought_id = thought
        and (select true from deleted_accounts d where d.user_id = a.author_id)),
      (select count(*) from thought_saves a where a.thought_id = thought
        and (select true from deleted_accounts d where d.user_id = a.user_id)),
      (select concat_ws(' ', count(*), coalesce(sum(stars), 0)) from thought_ratings a where a.thought_id = thought
        and (select true from deleted_accounts d where d.user_id = a.user_id)));
  end if;
  return concat_ws(' ',
    (select count(*) from thought_likes where thought_id = thought and user_id = any(gone)),
    (select count(*) from comments where thought_id = thought and author_id = any(gone)),
    (select count(*) from thought_saves where thought_id = thought and user_id = any(gone)),
    (select concat_ws(' ', count(*), coalesce(sum(stars), 0)) from thought_ratings
      where thought_id = thought and user_id = any(gone)));
end
$$;

grant execute on function gone_acts_on_thought(uuid) to tertulia_server;
grant execute on function lock_thought(uuid) to tertulia_server, tertulia_worker;

reset role;
alter function log_thought_insert() owner to tertulia_trigger;
alter function log_thought_update() owner to tertulia_trigger;
alter function log_thought_deletion() owner to tertulia_trigger;
alter function lock_thought(uuid) owner to tertulia_trigger;
alter function add_to_like_count(uuid, integer) owner to tertulia_trigger;
alter function count_thought_like() owner to tertulia_trigger;
alter function count_removed_likes() owner to tertulia_trigger;
alter function add_to_mark_counts(uuid, integer, integer, integer, integer) owner to tertulia_trigger;
alter function count_thought_saves() owner to tertulia_trigger;
alter function count_thought_shares() owner to tertulia_trigger;
alter function count_thought_ratings() owner to tertulia_trigger;
alter function gone_acts_on_thought(uuid) owner to tertulia_trigger;
