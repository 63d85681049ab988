set local role tertulia_owner;

-- Returns the counters of these objects that differ from the rows that they count. A write changes the rows and their
-- counter in one transaction, so a snapshot sees both changes or neither. A new counter needs a line in this function.
create function counter_drift(kind text, ids uuid[])
  returns table (object uuid, counter text, stored bigint, counted bigint)
  language plpgsql security definer rows 1
  set search_path = public, pg_temp
as $$
begin
  case kind
  when 'thought' then
    return query select t.id, c.name, c.stored::bigint, c.counted from thoughts t cross join lateral (values
      ('like_count', t.like_count, (select count(*) from thought_likes x where x.thought_id = t.id)),
      ('save_count', t.save_count, (select count(*) from thought_saves x where x.thought_id = t.id)),
      ('share_count', t.share_count, (select count(*) from thought_shares x where x.thought_id = t.id)),
      ('comment_count', t.comment_count, (select count(*) from comments x where x.thought_id = t.id)),
      ('rating_count', t.rating_count, (select count(*) from thought_ratings x where x.thought_id = t.id)),
      ('rating_total', t.rating_total,
        (select coalesce(sum(stars), 0) from thought_ratings x where x.thought_id = t.id))
    ) as c (name, stored, counted) where t.id = any(ids) and c.stored <> c.counted;
  when 'event' then
    return query select e.id, c.name, c.stored::bigint, c.counted from events e cross join lateral (values
      ('interested_count', e.interested_count,
        (select count(*) from event_rsvps x where x.event_id = e.id and x.status = 'INTERESTED')),
      ('going_count', e.going_count,
        (select count(*) from event_rsvps x where x.event_id = e.id and x.status = 'GOING')),
      ('comment_count', e.comment_count, (select count(*) from comments x where x.event_id = e.id))
    ) as c (name, stored, counted) where e.id = any(ids) and c.stored <> c.counted;
  when 'conversation' then
    -- A deleted message may leave these numbers ahead: unread messages are counted beyond them, on demand.
    return query select p.conversation_id, 'newest_from_others of ' || p.place, p.newest_from_others, newest.number
    from conversation_members p cross join lateral (
      select max(m.number) as number from messages m
      where m.conversation_id = p.conversation_id and m.author_id <> p.user_id and not m.number <@ p.absences) newest
    where p.conversation_id = any(ids) and p.left_at is null and p.newest_from_others < newest.number
    union all
    select c.id, 'last_number', c.last_number, newest.number from conversations c cross join lateral (
      select max(m.number) as number from messages m where m.conversation_id = c.id) newest
    where c.id = any(ids) and c.last_number < newest.number;
  end case;
end
$$;

-- Returns the next `batch` ids of a kind that follow the id `after`, in ascending order.
create function counted_objects(kind text, after uuid, batch integer) returns uuid[]
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
begin
  return case kind
    when 'thought' then array(select id from thoughts where id > after order by id limit batch)
    when 'event' then array(select id from events where id > after order by id limit batch)
    when 'conversation' then array(select id from conversations where id > after order by id limit batch)
  end;
end
$$;

-- Locks an object, so that nobody can write to its counters, and counts its rows again. Returns the counters that
-- differ, and repairs them if `repair` is true. Each statement after the lock has its own snapshot: the transaction
-- that held the lock before has committed both its rows and the counter.
create function recount(kind text, id uuid, repair boolean)
  returns table (object uuid, counter text, stored bigint, counted bigint)
  language plpgsql security definer rows 1
  set search_path = public, pg_temp
as $$
declare
  drift record;
begin
  case kind
  when 'thought' then perform from thoughts t where t.id = recount.id for no key update;
  when 'event' then perform from events e where e.id = recount.id for no key update;
  -- A message gets its number under this lock.
  when 'conversation' then perform from conversations c where c.id = recount.id for no key update;
  end case;
  for drift in select * from counter_drift(kind, array[id]) loop
    if repair then
      case kind
      when 'thought' then
        execute format('update thoughts set %I = $1 where id = $2', drift.counter) using drift.counted, id;
        insert into change_log (type, object_id, before, after, counters_only)
        select 'thought', t.id, s.state, s.state, true from thoughts t cross join lateral (
          select row(t.author_id, t.status, t.category, null, null, null)::change_state as state) s
        where t.id = recount.id;
      when 'event' then
        execute format('update events set %I = $1 where id = $2', drift.counter) using drift.counted, id;
        insert into change_log (type, object_id, before, after, counters_only)
        select 'event', e.id, s.state, s.state, true from events e cross join lateral (
          select row(e.author_id, null, null, e.starts_at, null, null)::change_state as state) s
        where e.id = recount.id;
      when 'conversation' then
        if drift.counter = 'last_number' then
          update conversations c set last_number = drift.counted where c.id = recount.id;
        else
          update conversation_members p set newest_from_others = drift.counted
          where p.conversation_id = recount.id and 'newest_from_others of ' || p.place = drift.counter;
        end if;
      end case;
    end if;
    object := drift.object;
    counter := drift.counter;
    stored := drift.stored;
    counted := drift.counted;
    return next;
  end loop;
end
$$;

grant execute on function counter_drift(text, uuid[]), counted_objects(text, uuid, integer),
  recount(text, uuid, boolean) to tertulia_worker;

reset role;
alter function counter_drift(text, uuid[]) owner to tertulia_trigger;
alter function counted_objects(text, uuid, integer) owner to tertulia_trigger;
alter function recount(text, uuid, boolean) owner to tertulia_trigger;
