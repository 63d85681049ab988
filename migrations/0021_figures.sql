set local role tertulia_owner;

-- That an account did something of a kind in an hour, once however often it did. No foreign key: figures of the past stay
-- what they were when an account goes, and its id then names nobody.
create table activity_marks (
  hour timestamptz not null,
  kind text not null,
  account_id uuid not null,
  primary key (hour, kind, account_id)
);
alter table activity_marks enable row level security;
alter table activity_marks force row level security;
create policy marks on activity_marks to tertulia_worker using (true);
create policy sign_ups on activity_marks to tertulia_trigger using (true);
grant select, insert, delete on activity_marks to tertulia_worker;
grant select, insert on activity_marks to tertulia_trigger;

-- Signing up is rare, and its figure exact: it is marked in its own transaction.
create function mark_sign_up() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into activity_marks values (date_trunc('hour', now()), 'SIGN_UP', new.user_id) on conflict do nothing;
  return null;
end
$$;
create trigger mark_sign_up after insert on credentials for each row execute function mark_sign_up();

-- When the accounts that there are signed up was not kept: when they were made is next to it.
set local role tertulia_trigger;
insert into activity_marks
select date_trunc('hour', created_at), 'SIGN_UP', id from users where username is not null;
set local role tertulia_owner;

-- Nearly in the order of the rows, so that a summary of each range of pages finds an interval; it costs a rating next to
-- nothing.
create index thought_ratings_created on thought_ratings using brin (created_at) with (autosummarize = on);

create function viewer_is_administrator() returns boolean
  language plpgsql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
begin
  return exists (select from users where id = viewer_id() and role = 'ADMIN');
end
$$;

-- For every unit (hour, day or week) that has an instant in the interval, and every kind, how many there were.
create function usage_figures(since timestamptz, until timestamptz, unit text)
  returns table (kind text, at timestamptz, count bigint)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set timezone = 'UTC'
as $$
declare
  step interval := ('1 ' || unit)::interval;
  first timestamptz := date_trunc(unit, since);
  past timestamptz := date_trunc(unit, until - interval '1 microsecond') + step;
begin
  if not viewer_is_administrator() then
    perform refuse('FORBIDDEN', 'ADMINISTRATORS_ONLY');
  end if;
  return query
  with figures as (
    select m.kind, date_trunc(unit, m.hour) as at, count(distinct m.account_id) as n
    from activity_marks m where m.hour >= first and m.hour < past group by 1, 2
    union all
    select 'RATING', date_trunc(unit, r.created_at), count(*)
    from thought_ratings r where r.created_at >= first and r.created_at < past group by 2
  )
  select k, a, coalesce(f.n, 0)
  from unnest(array['READ', 'WRITE', 'SIGN_UP', 'RATING']) as k
  cross join generate_series(first, past - step, step) as a
  left join figures f on f.kind = k and f.at = a
  order by a, k;
end
$$;

-- The counters of these objects that differ from the rows that they count. One snapshot sees both or neither of what a
-- write changes. A new counter is a line here.
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
    -- Unread messages are counted when they are asked for, beyond what these say; a deleted message may leave them ahead.
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

-- The ids of the next objects, in their order.
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

-- What still differs once nobody can write to the object's counters any more. Each statement of this function has a
-- snapshot of its own, from after the lock: whoever had it has committed both what is counted and the counter.
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
          select row(t.author_id, t.status, t.category, null, null)::change_state as state) s where t.id = recount.id;
      when 'event' then
        execute format('update events set %I = $1 where id = $2', drift.counter) using drift.counted, id;
        insert into change_log (type, object_id, before, after, counters_only)
        select 'event', e.id, s.state, s.state, true from events e cross join lateral (
          select row(e.author_id, null, null, e.starts_at, null)::change_state as state) s where e.id = recount.id;
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
create policy audit on thought_shares for select to tertulia_trigger using (true);
create policy audit on messages for select to tertulia_trigger using (true);
grant select on thought_shares, messages to tertulia_trigger;
grant execute on function counter_drift(text, uuid[]) to tertulia_trigger, tertulia_worker;
grant execute on function counted_objects(text, uuid, integer), recount(text, uuid, boolean) to tertulia_worker;

grant execute on function viewer_is_administrator() to tertulia_trigger;
grant execute on function usage_figures(timestamptz, timestamptz, text) to tertulia_server;

reset role;
alter function mark_sign_up() owner to tertulia_trigger;
alter function usage_figures(timestamptz, timestamptz, text) owner to tertulia_trigger;
alter function counter_drift(text, uuid[]) owner to tertulia_trigger;
alter function counted_objects(text, uuid, integer) owner to tertulia_trigger;
alter function recount(text, uuid, boolean) owner to tertulia_trigger;
