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

reset role;
