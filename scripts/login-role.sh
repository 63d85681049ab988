#!/usr/bin/env bash
# Makes the role that the server logs in as, without rights of its own. Run it as an administrator of the PostgreSQL that
# psql's variables (PGHOST, PGUSER, PGDATABASE, …) name; TERTULIA_PASSWORD is the role's password.
# The official PostgreSQL image runs it from /docker-entrypoint-initdb.d on the first start.
set -euo pipefail

: "${TERTULIA_PASSWORD:?the password of the login role}"
psql -X -q -v ON_ERROR_STOP=1 -v password="$TERTULIA_PASSWORD" \
    --username "${POSTGRES_USER:-${PGUSER:-postgres}}" --dbname "${POSTGRES_DB:-${PGDATABASE:-postgres}}" <<'SQL'
create role tertulia login noinherit nosuperuser nocreatedb nocreaterole nobypassrls password :'password';
create role tertulia_server nologin noinherit role tertulia;
create role tertulia_worker nologin noinherit role tertulia;
SQL
