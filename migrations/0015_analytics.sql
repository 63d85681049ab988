set local role tertulia_owner;

-- That an account did something of a kind within an hour, once however often it did. No foreign key: figures of the
-- past stay what they were when an account goes, and its id then names nobody.
create table activity_marks (
  hour timestamptz not null,
  kind text not null,
  account_id uuid not null,
  primary key (hour, kind, account_id)
);
alter table activity_marks enable row level security, force row level security;

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

-- How many acts of each kind there were in each unit (hour, day or week) that the interval touches.
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

grant execute on function usage_figures(timestamptz, timestamptz, text) to tertulia_server;

reset role;
alter function mark_sign_up() owner to tertulia_trigger;
alter function usage_figures(timestamptz, timestamptz, text) owner to tertulia_trigger;
