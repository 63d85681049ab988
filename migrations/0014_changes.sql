set local role tertulia_owner;

-- The newest row that was dropped with its partition: a reader that stopped before it cannot go on.
create table change_log_floor (
  xid xid8 not null,
  id bigint not null
);
alter table change_log_floor enable row level security;
alter table change_log_floor force row level security;
create policy tail on change_log_floor for select to tertulia_worker using (true);
grant select on change_log_floor to tertulia_worker;

-- As it was, but that it remembers how far the dropped rows went.
create or replace function drop_change_log_partition(days integer) returns integer
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
  select xid, id into last from change_log
  where at >= day::timestamp at time zone 'UTC' and at < (day + 1)::timestamp at time zone 'UTC'
  order by xid desc, id desc limit 1;
  if found then
    delete from change_log_floor;
    insert into change_log_floor values (last.xid, last.id);
  end if;
  execute format('drop table %I', partition);
  return 1;
exception
  when lock_not_available then return 0;
end
$$;
create policy own on change_log_floor to tertulia_owner using (true) with check (true);
create policy own on change_log for select to tertulia_owner using (true);

reset role;
