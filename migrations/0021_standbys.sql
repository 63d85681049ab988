set local role tertulia_owner;

-- Requests read the epoch with the position of a write, and with each read on a standby.
create policy request on change_log_epoch for select to tertulia_server using (true);

grant select on change_log_epoch to tertulia_server;
grant execute on function current_timeline() to tertulia_server;

reset role;
