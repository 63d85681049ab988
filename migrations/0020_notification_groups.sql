set local role tertulia_owner;

-- A notification as it is shown to those from whom some of its people are hidden: the latest of the others, how many
-- they are, and the sentence about them. Its subject is named as the sentence named it, which holds no more than the
-- last pair of its quotation marks.
create function notification_without(
  kind text, actors uuid[], actor_count integer, told text, hidden uuid[],
  out actor_id uuid, out others integer, out sentence text
)
  language plpgsql stable parallel safe
  set search_path = public, pg_temp
as $$
begin
  select a into actor_id from unnest(actors) with ordinality as u (a, place) where a <> all (hidden)
    order by place limit 1;
  others := actor_count - (select count(*) from unnest(actors) as a where a = any (hidden))::integer;
  sentence := notification_text(
    kind, coalesce((select display_name from users where id = actor_id), 'Somebody'), others - 1,
    coalesce(substring(told from '.*“(.*)”\.$'), ''));
end
$$;
grant execute on function notification_text(text, text, integer, text),
  notification_without(text, uuid[], integer, text, uuid[]) to tertulia_server;

reset role;
