set local role tertulia_owner;

-- A notification as it is shown to those from whom some of its people are hidden, or of whose people some are gone: the
-- latest of the others, how many they are, and the sentence about them. Its subject is named as the sentence named it:
-- all between the first quotation mark behind what was done and the last.
create or replace function notification_without(
  kind text, actors uuid[], actor_count integer, told text, hidden uuid[],
  out actor_id uuid, out others integer, out sentence text
)
  language plpgsql stable parallel safe
  set search_path = public, pg_temp
as $$
declare
  there uuid[] := array(
    select u.id from unnest(actors) with ordinality as a (id, place) join users u using (id)
    where a.id <> all (hidden) order by a.place);
begin
  actor_id := there[1];
  others := greatest(actor_count - cardinality(actors) + cardinality(there), 1);
  sentence := notification_text(
    kind, coalesce((select display_name from users where id = actor_id), 'Somebody'), others - 1,
    coalesce(
      substring(told from ' (?:liked|commented on|rated|responded to|changed|cancelled) “(.*)”\.$'), ''));
end
$$;

-- Of whom an account is told nothing: those blocked either way, and accounts that are being removed.
create function people_untold(account uuid) returns uuid[]
  language sql stable
  set search_path = public, pg_temp
begin atomic
  select coalesce((select blocked || blocked_by from hidden_people where viewer_id = account), '{}')
    || array(select user_id from deleted_accounts);
end;
grant execute on function people_untold(uuid), notification_text(text, text, integer, text),
  notification_without(text, uuid[], integer, text, uuid[]) to tertulia_worker;

-- Nor is an account that is being removed there to be blocked.
create policy hides on deleted_accounts for select to tertulia_owner using (true);

create or replace function person_to_block(person uuid) returns setof users
  language plpgsql stable security definer rows 1
  set search_path = public, pg_temp
as $$
begin
  return query select u.* from users u where u.id = person
    and not exists (select from deleted_accounts where user_id = person)
    and (
      not exists (select from blocks where blocker_id = person and blocked_id = viewer_id())
      or exists (select from blocks where blocker_id = viewer_id() and blocked_id = person)
      or viewer_is_moderator());
end
$$;

create or replace function people_blocked_by_viewer(before_at timestamptz, before_id uuid, most bigint)
  returns table (person users, blocked_at timestamptz)
  language plpgsql stable security definer rows 20
  set search_path = public, pg_temp
as $$
begin
  return query select u, b.created_at from blocks b join users u on u.id = b.blocked_id
    where b.blocker_id = viewer_id() and (b.created_at, b.blocked_id) < (before_at, before_id)
      and not exists (select from deleted_accounts d where d.user_id = b.blocked_id)
    order by b.created_at desc, b.blocked_id desc limit most;
end
$$;

reset role;
