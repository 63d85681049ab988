-- Applied migrations are for whoever migrates and for the server that asks before it serves.
revoke all on schema_migrations from public;
grant select on schema_migrations to tertulia_worker;

set local role tertulia_owner;

-- Whether this session only reads. In PL/pgSQL, so that a new session has to load it: a PostgreSQL whose files were
-- upgraded under it answers plain SQL and runs no function. It writes no row, and a standby can run it, too.
create function session_reads_only() returns boolean
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return current_setting('transaction_read_only')::boolean;
end
$$;
grant execute on function session_reads_only() to tertulia_server;

reset role;
