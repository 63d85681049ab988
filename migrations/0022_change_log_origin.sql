set local role tertulia_owner;

-- Positions in the log are numbers of transactions, which mean nothing in another cluster, and in another database of the
-- same cluster are those of another history. Where the log was written; one row.
create table change_log_origin (
  system bigint not null,
  database oid not null
);
alter table change_log_origin enable row level security;
alter table change_log_origin force row level security;
create policy own on change_log_origin to tertulia_owner using (true) with check (true);
create policy tail on change_log_origin for select to tertulia_worker using (true);
grant select on change_log_origin to tertulia_worker;

insert into change_log_origin
select s.system_identifier, d.oid from pg_control_system() s, pg_database d where d.datname = current_database();

-- Whether the log is one of another cluster or database, out of which a backup was brought here.
create function change_log_is_foreign() returns boolean
  language sql stable
  return not exists (
    select from change_log_origin o, pg_control_system() s, pg_database d
    where d.datname = current_database() and o.system = s.system_identifier and o.database = d.oid);

-- Begins the log anew where it is another's: its rows would be taken for the newest, or for older than all that is to
-- come. Clients with a cursor read their lists again. What the log would still have told the ranks is counted afresh.
-- Called by whoever migrates, who may act as both roles.
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
revoke execute on function adopt_change_log() from public;
revoke execute on function change_log_is_foreign() from public;
grant execute on function change_log_is_foreign() to tertulia_worker;

reset role;
