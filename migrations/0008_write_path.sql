set local role tertulia_owner;

-- Where each published thought stands in the orders by keys that move. Beside the thoughts, and a little behind them:
-- an index on a counter would make each like and each comment write all indexes of the thought anew.
create table thought_ranks (
  thought_id uuid not null,
  kind text not null,
  rank integer not null,
  primary key (thought_id, kind)
);
create index thought_ranks_order on thought_ranks (kind, rank desc, thought_id desc);

-- Up to where the change log has been applied to the ranks, and when a replica last began to go on; one row.
create table thought_ranks_position (
  xid xid8 not null,
  id bigint not null,
  claimed_at timestamptz not null default '-infinity'
);

alter table thought_ranks enable row level security;
alter table thought_ranks force row level security;
alter table thought_ranks_position enable row level security;
alter table thought_ranks_position force row level security;
-- A rank is seen by who sees its thought: it may outlive the thought's publication by a moment.
create policy visible on thought_ranks for select to tertulia_server
  using ((select true from thoughts t where t.id = thought_id));
create policy refresh on thought_ranks to tertulia_worker using (true);
create policy refresh on thought_ranks_position to tertulia_worker using (true);
create policy refresh on thoughts for select to tertulia_worker using (true);
grant select on thought_ranks to tertulia_server;
grant select, insert, update, delete on thought_ranks to tertulia_worker;
grant select, insert, update on thought_ranks_position to tertulia_worker;
grant select (id, status, like_count, comment_count, rating_count, rating_total) on thoughts to tertulia_worker;

-- The thoughts of the next rows of the change log, unless another replica began within the lease (in seconds). A row is
-- given as soon as it is seen, but passed only when no older transaction runs any more: its rows would come before it.
create function begin_ranking(
  batch integer, lease double precision,
  out thoughts uuid[], out passed_xid xid8, out passed_id bigint, out has_more boolean
)
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  here thought_ranks_position;
begin
  update thought_ranks_position set claimed_at = clock_timestamp()
  where claimed_at <= clock_timestamp() - make_interval(secs => lease) returning * into here;
  thoughts := '{}';
  has_more := false;
  if found then
    -- A backup may have brought the position from a cluster whose transactions had higher numbers.
    if here.xid >= pg_snapshot_xmax(pg_current_snapshot()) then
      update thought_ranks_position set xid = '0', id = 0 returning * into here;
    end if;
    with entries as materialized (
      select xid, id, type, object_id, xid < pg_snapshot_xmin(pg_current_snapshot()) as is_settled
      from change_log where (xid, id) > (here.xid, here.id) order by xid, id limit batch
    )
    select array(select distinct object_id from entries where type = 'thought'),
        (select count(*) = batch from entries where is_settled), last.xid, last.id
      into thoughts, has_more, passed_xid, passed_id
    from (select) as one
    left join (select xid, id from entries where is_settled order by xid desc, id desc limit 1) as last on true;
  end if;
end
$$;

-- Writes the ranks of these thoughts that have changed. BEST_RATED is a Bayesian mean in millistars: five ratings of
-- three stars are taken as given, so that one five-star vote does not win.
create function rank_thoughts(ids uuid[]) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  -- Whoever else does this waits, and then sees no older counters than those that are written here.
  perform from thought_ranks_position for update;
  insert into thought_ranks (thought_id, kind, rank)
  select t.id, at_present.kind, at_present.rank
  from thoughts t
  cross join lateral (values
    ('MOST_LIKED', t.like_count), ('MOST_DISCUSSED', t.comment_count),
    ('BEST_RATED', 1000 * (t.rating_total + 15) / (t.rating_count + 5))
  ) as at_present (kind, rank)
  left join thought_ranks r on r.thought_id = t.id and r.kind = at_present.kind
  where t.id = any(ids) and t.status = 'PUBLISHED' and r.rank is distinct from at_present.rank
  on conflict (thought_id, kind) do update set rank = excluded.rank;
  delete from thought_ranks where thought_id = any(array(
    select gone from unnest(ids) as gone
    where not exists (select from thoughts t where t.id = gone and t.status = 'PUBLISHED')));
end
$$;
grant execute on function begin_ranking(integer, double precision), rank_thoughts(uuid[]) to tertulia_worker;

-- The position first: what commits during the fill is applied again.
set local role tertulia_worker;
insert into thought_ranks_position (xid, id) values (pg_snapshot_xmin(pg_current_snapshot()), 0);
insert into thought_ranks (thought_id, kind, rank)
select id, kind, rank from thoughts t cross join lateral (values
  ('MOST_LIKED', t.like_count), ('MOST_DISCUSSED', t.comment_count),
  ('BEST_RATED', 1000 * (t.rating_total + 15) / (t.rating_count + 5))
) as ranks (kind, rank) where status = 'PUBLISHED';
set local role tertulia_owner;
drop index thoughts_most_liked, thoughts_most_discussed, thoughts_best_rated;

-- A table's CHECK constraints are parsed anew by every statement that writes to it, counters included; a trigger on the
-- columns that they speak of is asked only where one of these is written.
create function violate_check() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise check_violation using constraint = tg_argv[0], table = tg_table_name, schema = tg_table_schema,
    message = format('new row for relation "%s" violates check constraint "%s"', tg_table_name, tg_argv[0]);
end
$$;
create trigger thoughts_category_check before insert or update of category on thoughts
  for each row when (new.category not in ('FUNNY', 'SERIOUS', 'CRAZY'))
  execute function violate_check('thoughts_category_check');
create trigger thoughts_status_check before insert or update of status on thoughts
  for each row when (new.status not in ('DRAFT', 'PUBLISHED'))
  execute function violate_check('thoughts_status_check');
create trigger thoughts_check before insert or update of status, published_at on thoughts
  for each row when ((new.status = 'PUBLISHED') <> (new.published_at is not null))
  execute function violate_check('thoughts_check');
alter table thoughts drop constraint thoughts_category_check, drop constraint thoughts_status_check,
  drop constraint thoughts_check;

-- A trigger with transition tables copies every changed row, also where its condition then says no: row by row the
-- condition is asked first, and a counter's update copies nothing.
create function log_thought_update() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, before, after)
  values ('thought', new.id, row(old.author_id, old.status, old.category, null, null)::change_state,
    row(new.author_id, new.status, new.category, null, null)::change_state);
  return null;
end
$$;
drop trigger log_update on thoughts;
create trigger log_update after update on thoughts
  for each row when (current_user <> 'tertulia_trigger') execute function log_thought_update();

create function log_event_update() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, before, after)
  values ('event', new.id, row(old.author_id, null, null, old.starts_at, null)::change_state,
    row(new.author_id, null, null, new.starts_at, null)::change_state);
  return null;
end
$$;
drop trigger log_update on events;
create trigger log_update after update on events
  for each row when (current_user <> 'tertulia_trigger') execute function log_event_update();

-- Comments come and go one at a time but for cascades: counter and change rows in one statement then, and no sorting.
-- Several take their subjects in the order of their ids, so that two statements never wait for each other in a circle.
create function count_comments() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
  one record;
  comment change_state;
begin
  select *, count(*) over () as rows into one from changed;
  if one.rows = 1 then
    comment := row(one.author_id, null, null, null, coalesce(one.thought_id, one.event_id));
    if one.thought_id is not null then
      with counted as (
        update thoughts set comment_count = comment_count + step where id = one.thought_id
        returning id, row(author_id, status, category, null, null)::change_state as state
      )
      insert into change_log (type, object_id, before, after, counters_only)
      select 'comment', one.id, case when step < 0 then comment end, case when step > 0 then comment end, false
      union all
      select 'thought', id, state, state, true from counted;
    else
      with counted as (
        update events set comment_count = comment_count + step where id = one.event_id
        returning id, row(author_id, null, null, starts_at, null)::change_state as state
      )
      insert into change_log (type, object_id, before, after, counters_only)
      select 'comment', one.id, case when step < 0 then comment end, case when step > 0 then comment end, false
      union all
      select 'event', id, state, state, true from counted;
    end if;
  elsif one.rows > 1 then
    insert into change_log (type, object_id, before, after)
    select 'comment', id, case when step < 0 then state end, case when step > 0 then state end
    from changed, lateral (
      select row(author_id, null, null, null, coalesce(thought_id, event_id))::change_state as state
    ) as states
    order by id;
    perform add_to_comment_count(thought_id, event_id, n) from (
      select thought_id, event_id, step * count(*)::integer as n from changed group by 1, 2 order by 1, 2
    ) as subjects;
  end if;
  return null;
end
$$;
drop trigger log_insert on comments;
drop trigger log_delete on comments;
create trigger count_insert after insert on comments
  referencing new table as changed for each statement execute function count_comments();
create trigger count_delete after delete on comments
  referencing old table as changed for each statement execute function count_comments();

create function log_comment_update() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, before, after)
  values ('comment', new.id,
    row(old.author_id, null, null, null, coalesce(old.thought_id, old.event_id))::change_state,
    row(new.author_id, null, null, null, coalesce(new.thought_id, new.event_id))::change_state);
  return null;
end
$$;
drop trigger log_update on comments;
create trigger log_update after update on comments for each row execute function log_comment_update();

-- Drops one partition of the change log whose day ended longer ago than this, and gives how many it dropped. Where
-- readers hold it for long it is left for the next time: writers wait behind it.
create function drop_change_log_partition(days integer) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
  set lock_timeout = '200ms'
as $$
declare
  partition text;
begin
  select c.relname into partition from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'change_log'::regclass and c.relname ~ '^change_log_[0-9]{8}$'
    and right(c.relname, 8) < to_char((now() at time zone 'UTC')::date - days, 'YYYYMMDD')
  order by c.relname limit 1;
  if partition is null then
    return 0;
  end if;
  execute format('drop table %I', partition);
  return 1;
exception
  when lock_not_available then return 0;
end
$$;
grant execute on function drop_change_log_partition(integer) to tertulia_worker;
create policy sweep on change_log_default to tertulia_worker using (true);
grant select, delete on change_log_default to tertulia_worker;
create index on change_log_default (at);

-- An ended session is of no use to anyone; its access tokens are refused by revoked_sessions.
grant delete on sessions to tertulia_worker;
create index on sessions (created_at);
create index on sessions (revoked_at) where revoked_at is not null;

-- Tries to sign in, by a hash of the login as it was typed: a login that nobody has waits as one that somebody has.
create table sign_in_attempts (
  login_hash bytea primary key,
  failures integer not null,
  last_at timestamptz not null
);
create index on sign_in_attempts (last_at);
alter table sign_in_attempts enable row level security;
alter table sign_in_attempts force row level security;
create policy attempts on sign_in_attempts to tertulia_worker using (true);
grant select, insert, update, delete on sign_in_attempts to tertulia_worker;

-- Counts a try as a failure before anything is compared, so that tries at once count too; a success forgets them. Gives
-- the seconds to wait where it may not be tried yet, else 0: 1 after the failure numbered `allowed`, then twice as long
-- each time, up to 15 minutes.
create function begin_sign_in(login bytea, allowed integer) returns double precision
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  attempts sign_in_attempts;
  wait double precision;
begin
  insert into sign_in_attempts as a values (login, 0, clock_timestamp())
  on conflict (login_hash) do update set failures = a.failures returning * into attempts;
  if attempts.failures >= allowed then
    wait := least(900, 2 ^ least(attempts.failures - allowed, 20))
      - extract(epoch from clock_timestamp() - attempts.last_at);
    if wait > 0 then
      return wait;
    end if;
  end if;
  update sign_in_attempts set failures = failures + 1, last_at = clock_timestamp() where login_hash = login;
  return 0;
end
$$;
grant execute on function begin_sign_in(bytea, integer) to tertulia_worker;

reset role;
alter function log_thought_update() owner to tertulia_trigger;
alter function log_event_update() owner to tertulia_trigger;
alter function log_comment_update() owner to tertulia_trigger;
alter function count_comments() owner to tertulia_trigger;
set local role tertulia_trigger;
drop function log_comment_changes();
reset role;
