#!/usr/bin/env bash
# Makes the role that the server logs in as, with no rights of its own, on a PostgreSQL that an administrator reaches.
# psql's variables (PGHOST, PGUSER, PGDATABASE, …) say where; TERTULIA_PASSWORD is the role's password.
# The official PostgreSQL image runs it from /docker-entrypoint-initdb.d on the first start.
set -euo pipefail

: "${TERTULIA_PASSWORD:?the password of the login role}"
psql -X -q -v ON_ERROR_STOP=1 -v password="$TERTULIA_PASSWORD" \
    --username "${POSTGRES_USER:-${PGUSER:-postgres}}" --dbname "${POSTGRES_DB:-${PGDATABASE:-postgres}}" <<'SQL'
create role tertulia login noinherit nosuperuser nocreatedb nocreaterole nobypassrls password :'password';
create role tertulia_server nologin noinherit role tertulia;
create role tertulia_worker nologin noinherit role tertulia;
SQL
