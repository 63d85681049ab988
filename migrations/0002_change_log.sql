set local role tertulia_owner;

-- The state of an object before or after a change. Subscriptions are matched by it. The object's feature decides which
-- attributes are set and what they mean; the others are null.
create type change_state as (
  owner uuid,
  status text,
  category text,
  time timestamptz,
  -- The object that this object is on or belongs to: a comment's thought, a message's conversation.
  subject uuid,
  -- The attributes of later types.
  extra jsonb
);

create table change_log (
  xid xid8 not null default pg_current_xact_id(),
  -- An odd number. A row with `counted` stands for two changes, and the second change has the next number.
  id bigint generated always as identity (increment by 2),
  at timestamptz not null default now(),
  type text not null,
  object_id uuid not null,
  before change_state,
  after change_state,
  -- Whether only counters differ. Several such rows of an object may be merged into the newest.
  counters_only boolean not null default false,
  -- The state of the thought or event whose comment counter a new comment raised. One row for the comment and the
  -- counter costs less than two. A thought has a status, an event has none.
  counted change_state
) partition by range (at);
create index on change_log (xid, id);
create table change_log_default partition of change_log default;
create index on change_log_default (at);
-- Finds the changes of an account's blocks after a position of the log.
create index change_log_blocks on change_log (xid, id) where type = 'block';

alter table change_log enable row level security, force row level security;
alter table change_log_default enable row level security, force row level security;

create policy tail on change_log for select to tertulia_worker using (true);
create policy tell on change_log for select to tertulia_trigger using (true);
create policy append on change_log for insert to tertulia_trigger with check (true);
create policy own on change_log for select to tertulia_owner using (true);

create policy sweep on change_log_default to tertulia_worker using (true);

grant select on change_log to tertulia_worker;
grant select, insert on change_log to tertulia_trigger;
grant select, delete on change_log_default to tertulia_worker;

-- Creates the partitions of today and of the next `days` days, so that the default partition stays empty. Housekeeping
-- calls the function in each of its runs.
create function make_change_log_partitions(days integer) returns void
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  day date;
  partition text;
begin
  for day in select (now() at time zone 'UTC')::date + n from generate_series(0, days) as n loop
    partition := 'change_log_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(partition) is not null;
    begin
      execute format(
        'create table %I partition of change_log for values from (%L) to (%L)', partition,
        day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      execute format('alter table %I enable row level security, force row level security', partition);
    exception
      -- Another replica makes the same, or rows of that day already went to the default partition.
      when duplicate_table or unique_violation or check_violation then null;
    end;
  end loop;
end
$$;
select make_change_log_partitions(3);

-- The position of the newest row that was dropped with its partition. A reader at an earlier position cannot continue.
-- The table has at most one row.
create table change_log_floor (
  xid xid8 not null,
  id bigint not null
);
alter table change_log_floor enable row level security, force row level security;

create policy tail on change_log_floor for select to tertulia_worker using (true);
create policy own on change_log_floor to tertulia_owner using (true) with check (true);

grant select on change_log_floor to tertulia_worker;

-- Drops the oldest partition if its day is more than `days` days ago, and stores the position of its newest row.
-- Returns the number of dropped partitions. If readers hold the partition longer than the lock timeout, it is left for
-- the next call, because writers wait behind the lock request.
create function drop_change_log_partition(days integer) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
  set lock_timeout = '200ms'
as $$
declare
  partition text;
  day date;
  last record;
begin
  select c.relname into partition from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'change_log'::regclass and c.relname ~ '^change_log_[0-9]{8}$'
    and right(c.relname, 8) < to_char((now() at time zone 'UTC')::date - days, 'YYYYMMDD')
  order by c.relname limit 1;
  if partition is null then
    return 0;
  end if;
  day := to_date(right(partition, 8), 'YYYYMMDD');
  select xid, id + (counted is distinct from null)::integer as number into last from change_log
  where at >= day::timestamp at time zone 'UTC' and at < (day + 1)::timestamp at time zone 'UTC'
  order by xid desc, id desc limit 1;
  if found then
    delete from change_log_floor;
    insert into change_log_floor values (last.xid, last.number);
  end if;
  execute format('drop table %I', partition);
  return 1;
exception
  when lock_not_available then return 0;
end
$$;

-- The cluster and database that the log was written in. Positions in the log are numbers of transactions, which mean
-- nothing in another cluster; another database of the same cluster has another history. The table has one row.
create table change_log_origin (
  system bigint not null,
  database oid not null
);
alter table change_log_origin enable row level security, force row level security;

create policy tail on change_log_origin for select to tertulia_worker using (true);
create policy own on change_log_origin to tertulia_owner using (true) with check (true);

grant select on change_log_origin to tertulia_worker;
insert into change_log_origin
select s.system_identifier, d.oid from pg_control_system() s, pg_database d where d.datname = current_database();

-- Whether the log was written in another cluster or database and brought here with a backup.
create function change_log_is_foreign() returns boolean
  language sql stable
  return not exists (
    select from change_log_origin o, pg_control_system() s, pg_database d
    where d.datname = current_database() and o.system = s.system_identifier and o.database = d.oid);

-- Empties a log that was written in another cluster or database, because its rows would sort before or after all rows
-- to come. Clients with a cursor read their lists again. Comments without a notification are copied to the outbox
-- first, and ranks are counted again. Returns whether the log was emptied. The role that migrates calls the function,
-- because that role may act as each of the others.
create function adopt_change_log() returns boolean
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  set local role tertulia_owner;
  lock table change_log_origin in exclusive mode;
  if not change_log_is_foreign() then
    return false;
  end if;
  perform pg_advisory_xact_lock(1852143475);
  lock table comments, change_log in access exclusive mode;
  set local role tertulia_trigger;
  while enqueue_comments('18446744073709551615', 10000) > 0 loop
  end loop;
  update outbox_position set xid = pg_snapshot_xmin(pg_current_snapshot()), id = 0;
  set local role tertulia_owner;
  truncate change_log, change_log_floor, thought_ranks, thought_ranks_position;
  delete from change_log_origin;
  insert into change_log_origin
  select s.system_identifier, d.oid from pg_control_system() s, pg_database d where d.datname = current_database();
  set local role tertulia_worker;
  insert into thought_ranks_position (xid, id) values (pg_snapshot_xmin(pg_current_snapshot()), 0);
  insert into thought_ranks (thought_id, kind, rank)
  select id, kind, rank from thoughts t cross join lateral (values
    ('MOST_LIKED', t.like_count), ('MOST_DISCUSSED', t.comment_count),
    ('BEST_RATED', 1000 * (t.rating_total + 15) / (t.rating_count + 5))
  ) as ranks (kind, rank) where status = 'PUBLISHED';
  return true;
end
$$;

-- A database can lose the end of its history and go on from an earlier state: after the promotion of a standby that
-- lacked the newest rows, a restore to a point in time, a data folder copied back. The system identifier stays the
-- same, and the numbers of lost transactions are given to other transactions. The epoch identifies one history. Every
-- cursor contains the epoch. The table has one row.
create table change_log_epoch (
  -- Random, and never used again.
  epoch bigint not null,
  -- The timeline on which the epoch began. Each promotion and each restore to a point in time begins another timeline.
  timeline integer not null,
  begun_at timestamptz not null default clock_timestamp()
);
create unique index on change_log_epoch ((true));
alter table change_log_epoch enable row level security, force row level security;

create policy tail on change_log_epoch for select to tertulia_worker using (true);
create policy own on change_log_epoch to tertulia_owner using (true) with check (true);

grant select on change_log_epoch to tertulia_worker;

-- The timeline of the WAL that is being written; null on a standby. After a promotion, pg_control_checkpoint() tells
-- the new timeline only after the first checkpoint.
create function current_timeline() returns integer
  language sql volatile
  return case when not pg_is_in_recovery()
    then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer end;

-- A number that is the same for all epochs of a database. Another cluster or database has another number.
create function database_identity() returns table (identity bigint)
  -- The function is stable, so that PostgreSQL inlines it into the calling statement.
  language sql stable
begin atomic
  select s.system_identifier # (d.oid::bigint << 32)
  from pg_control_system() s, pg_database d where d.datname = current_database();
end;

-- The history of the log, and the session of PostgreSQL that reads it. Each read of the log selects both.
create function change_log_history() returns table (
  -- The epoch as cursors contain it.
  epoch bigint,
  -- Whether the timeline is the epoch's; null on a standby.
  is_current boolean,
  process integer,
  started_at timestamptz
)
  language sql stable
begin atomic
  select e.epoch # i.identity, e.timeline = current_timeline(), pg_backend_pid(), pg_postmaster_start_time()
  from change_log_epoch e, database_identity() i;
end;

-- Begins a new epoch if the log still has the epoch that the caller saw. If several servers notice the loss at once,
-- the first begins the epoch, and the others find it. Returns whether this call began the epoch.
create function begin_change_log_epoch(seen bigint) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  -- A crash that took the new epoch back would make the cursors of the lost history valid again.
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'local', true);
  end if;
  update change_log_epoch
  set epoch = hashtextextended(gen_random_uuid()::text, 0), timeline = current_timeline(), begun_at = clock_timestamp()
  where epoch = (select seen # identity from database_identity());
  return found;
end
$$;

insert into change_log_epoch (epoch, timeline)
select hashtextextended(gen_random_uuid()::text, 0), current_timeline();

grant execute on function make_change_log_partitions(integer), drop_change_log_partition(integer),
  change_log_is_foreign(), current_timeline(), database_identity(), change_log_history(), begin_change_log_epoch(bigint)
  to tertulia_worker;

reset role;
