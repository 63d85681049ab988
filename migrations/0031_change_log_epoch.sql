set local role tertulia_owner;

-- A database can lose the end of its history and go on from an earlier state: after the promotion of a standby that lacked
-- the newest rows, a restore to a point in time, a data folder copied back. The system identifier stays the same, and the
-- numbers of lost transactions are given to others. The epoch names one history; every cursor carries it. One row.
create table change_log_epoch (
  -- Random, and never used again.
  epoch bigint not null,
  -- On which the epoch began. Each promotion and each restore to a point in time ends on another.
  timeline integer not null,
  begun_at timestamptz not null default clock_timestamp()
);
create unique index on change_log_epoch ((true));
alter table change_log_epoch enable row level security;
alter table change_log_epoch force row level security;
create policy own on change_log_epoch to tertulia_owner using (true) with check (true);
create policy tail on change_log_epoch for select to tertulia_worker using (true);
grant select on change_log_epoch to tertulia_worker;

-- The timeline that is written on; null on a standby. pg_control_checkpoint() tells the new one only after the first
-- checkpoint that follows a promotion.
create function current_timeline() returns integer
  language sql volatile
  return case when not pg_is_in_recovery()
    then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer end;

-- The same for all epochs of a database, and different for a copy of it.
create function database_identity() returns table (identity bigint)
  -- Stable, so that it becomes part of the statement that calls it.
  language sql stable
begin atomic
  select s.system_identifier # (d.oid::bigint << 32)
  from pg_control_system() s, pg_database d where d.datname = current_database();
end;

-- What each read of the log asks: of which history it is, and through which session of PostgreSQL it was read.
create function change_log_history() returns table (
  -- As cursors have it.
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

-- Begins a new epoch where the log is still of the one that was seen: of several servers that notice the loss at once,
-- the first does it, and the others find its epoch.
-- Returns whether this call did it.
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
revoke execute on function current_timeline(), database_identity(), change_log_history(), begin_change_log_epoch(bigint)
  from public;
grant execute on function current_timeline(), database_identity(), change_log_history(), begin_change_log_epoch(bigint)
  to tertulia_worker;

insert into change_log_epoch (epoch, timeline)
select hashtextextended(gen_random_uuid()::text, 0), current_timeline();

reset role;
