-- Roles are shared by all databases of a cluster, so another database may have made them already, even this instant.
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

set local role tertulia_owner;
alter default privileges revoke execute on functions from public;

-- The account of the request, or null. A setting that was set earlier in the connection reads as '', not as null.
create function viewer_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.viewer_id', true), '')::uuid;

-- Ends the segment with a refusal for the client: nothing of the segment remains. Class TR is ours alone. It never
-- returns; it is boolean so that it can stand in a condition.
create function refuse(code text, detail text default null) returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using errcode = 'TR001', message = code, detail = coalesce(detail, '');
end
$$;

-- Refuses with all user errors of an input at once, each a code and a field such as 'INVALID timeZone'; null is none.
create function refuse_user_errors(errors text[]) returns boolean
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  return array_remove(errors, null) = '{}' or refuse('USER_ERRORS', array_to_string(errors, ','));
end
$$;

grant execute on function viewer_id(), refuse(text, text), refuse_user_errors(text[]) to tertulia_server, tertulia_worker, tertulia_trigger;

reset role;
