-- tertulia_owner owns tables and functions. Requests run as tertulia_server under row-level security, background work
-- as tertulia_worker. tertulia_trigger owns the functions that read or write more than their caller may.

-- Roles belong to the whole cluster: the migration of another database may have made them, or make them at this moment.
do $$
declare
  name text;
begin
  foreach name in array array['tertulia_owner', 'tertulia_server', 'tertulia_worker', 'tertulia_trigger'] loop
    begin
      execute format('create role %I nologin nosuperuser nobypassrls noinherit nocreatedb nocreaterole', name);
    exception
      when duplicate_object or unique_violation then null;
    end;
    if not pg_has_role(current_user, name, 'member') then
      execute format('grant %I to %I', name, current_user);
    end if;
  end loop;
end
$$;
grant usage, create on schema public to tertulia_owner;
grant usage on schema public to tertulia_server, tertulia_worker;
grant usage, create on schema public to tertulia_trigger;
revoke create on schema public from public;

-- The server asks which migrations are applied before it serves.
grant select on schema_migrations to tertulia_worker;

set local role tertulia_owner;
alter default privileges revoke execute on functions from public;

-- The account of the request, or null. A setting that was set earlier in the connection reads as '', not as null.
create function viewer_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.viewer_id', true), '')::uuid;

-- Each segment of a request puts the accounts that the viewer sees nothing of into app.hidden, once for all policies.
-- More than a hundred are not listed: app.hidden is then '{NULL}', and viewer_hides looks up the owner of each row.

-- The accounts that app.hidden lists. A comparison with the list '{NULL}' is null. For policies.
create function listed_hidden_ids() returns uuid[]
  language sql stable parallel safe
  return coalesce(nullif(current_setting('app.hidden', true), ''), '{}')::uuid[];

-- The accounts that app.hidden does not list because they are many. A moderator sees the people who blocked the
-- moderator.
create function unlisted_hidden_ids() returns uuid[]
  language plpgsql stable parallel safe
  set search_path = public, pg_temp
as $$
begin
  return (
    select case when viewer_is_moderator() then blocked else blocked || blocked_by end
    from hidden_people where hidden_people.viewer_id = viewer_id());
end
$$;

-- All of them: for the checks of statements that write, once a statement.
create function hidden_ids() returns uuid[]
  language sql stable parallel safe
  return case when current_setting('app.hidden', true) = '{NULL}' then coalesce(unlisted_hidden_ids(), '{}')
    else listed_hidden_ids() end;

-- Ends the segment with a refusal for the client: nothing of the segment remains. SQLSTATE class TR is this server's
-- own. The function never returns; its type is boolean so that it can stand in a condition.
create function refuse(code text, detail text default null) returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using errcode = 'TR001', message = code, detail = coalesce(detail, '');
end
$$;

-- Refuses with all user errors of an input at once, each a code and a field such as 'INVALID timeZone'. A null element
-- is no error.
create function refuse_user_errors(errors text[]) returns boolean
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  return array_remove(errors, null) = '{}' or refuse('USER_ERRORS', array_to_string(errors, ','));
end
$$;

-- RFC 9562, section 5.7. Without a search_path of its own, so that PostgreSQL can inline it: its callers have one.
create function uuid_v7() returns uuid
  language sql volatile parallel safe
  return encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
    52, 1), 53, 1), 'hex')::uuid;

-- Whether this session only reads. In PL/pgSQL, so that a new session has to load the language: a PostgreSQL whose
-- files were upgraded while it runs answers plain SQL and runs no function. It writes no row, so that a standby can run
-- it, too.
create function session_reads_only() returns boolean
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return current_setting('transaction_read_only')::boolean;
end
$$;

grant execute on function session_reads_only() to tertulia_server;
grant execute on function viewer_id(), hidden_ids(), listed_hidden_ids(), unlisted_hidden_ids(), refuse(text, text),
  refuse_user_errors(text[]) to tertulia_server, tertulia_worker, tertulia_trigger;
grant execute on function uuid_v7() to tertulia_trigger;

reset role;
