set local role tertulia_owner;

-- An act of sharing: it stays counted when the account that shared goes.
create table thought_shares (
  id bigint generated always as identity primary key,
  user_id uuid references users on delete set null,
  thought_id uuid not null references thoughts on delete cascade,
  created_at timestamptz not null default date_trunc('milliseconds', now())
);
create index on thought_shares (user_id) where user_id is not null;
create index on thought_shares (thought_id);

alter table thought_shares enable row level security;
alter table thought_shares force row level security;

-- Under the policies of thoughts: what is not visible can be neither saved nor rated nor shared.
create policy create_own on thought_saves for insert to tertulia_server
  with check (user_id = (select viewer_id()) and exists (select from thoughts t where t.id = thought_id));
create policy delete_own on thought_saves for delete to tertulia_server using (user_id = (select viewer_id()));
create policy create_own on thought_ratings for insert to tertulia_server
  with check (user_id = (select viewer_id()) and exists (select from thoughts t where t.id = thought_id));
create policy update_own on thought_ratings for update to tertulia_server
  using (user_id = (select viewer_id()))
  with check (user_id = (select viewer_id()) and exists (select from thoughts t where t.id = thought_id));
create policy delete_own on thought_ratings for delete to tertulia_server using (user_id = (select viewer_id()));
create policy create_own on thought_shares for insert to tertulia_server
  with check (user_id = (select viewer_id())
    and exists (select from thoughts t where t.id = thought_id and t.status = 'PUBLISHED'));
-- Locked alone, never changed.
create policy locks on users for update to tertulia_trigger using (true) with check (false);

grant insert (thought_id, user_id), delete on thought_saves to tertulia_server;
grant insert (thought_id, user_id, stars), update (stars), delete on thought_ratings to tertulia_server;
grant insert (thought_id, user_id) on thought_shares to tertulia_server;
grant update (created_at) on users to tertulia_trigger;

-- Whatever deletes an account locks it first, then what it counts in: so does what locks a thought or an event before it
-- writes a row of the viewer's, whose foreign key would lock the account only afterwards.
create function lock_viewer() returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform from users where id = viewer_id() for key share;
  return true;
end
$$;
grant execute on function lock_viewer() to tertulia_server;

-- Called for the thoughts in the order of their ids, so that two statements never wait for each other in a circle.
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
    returning id, row(author_id, status, category, null, null)::change_state as state
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

reset role;
alter function lock_viewer() owner to tertulia_trigger;
alter function add_to_mark_counts(uuid, integer, integer, integer, integer) owner to tertulia_trigger;
alter function count_thought_saves() owner to tertulia_trigger;
alter function count_thought_shares() owner to tertulia_trigger;
alter function count_thought_ratings() owner to tertulia_trigger;
