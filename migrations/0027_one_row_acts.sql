set local role tertulia_owner;

-- In the order in which writers take them.
lock table comments, thought_likes, thoughts, change_log in access exclusive mode;

-- A request likes, comments or publishes one thing: row by row its counter and its row of the log cost less than through a
-- transition table. What goes goes many at a time with its thought, and is counted as before.
-- A comment and the counter that it changes are one row: the state of its subject, as `counted`, stands for a row of its
-- own that follows it, with the id that the sequence leaves free. Of the two kinds of subject a thought has a status.
alter table change_log add column counted change_state;
alter table change_log alter column id set increment by 2;

create function log_thought_insert() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, after)
  values ('thought', new.id, row(new.author_id, new.status, new.category, null, null)::change_state);
  return null;
end
$$;
drop trigger log_insert on thoughts;
create trigger log_insert after insert on thoughts for each row execute function log_thought_insert();

create function count_comment() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  comment change_state := row(new.author_id, null, null, null, coalesce(new.thought_id, new.event_id));
  subject change_state;
begin
  if new.thought_id is not null then
    update thoughts set comment_count = comment_count + 1 where id = new.thought_id
      returning author_id, status, category, null::timestamptz, null::uuid into subject;
  else
    update events set comment_count = comment_count + 1 where id = new.event_id
      returning author_id, null::text, null::text, starts_at, null::uuid into subject;
  end if;
  insert into change_log (type, object_id, after, counted) values ('comment', new.id, comment, subject);
  return null;
end
$$;
drop trigger count_insert on comments;
create trigger count_insert after insert on comments for each row execute function count_comment();

create function count_thought_like() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  thought change_state;
begin
  update thoughts set like_count = like_count + 1 where id = new.thought_id
    returning author_id, status, category, null::timestamptz, null::uuid into thought;
  insert into change_log (type, object_id, before, after, counters_only)
  values ('thought', new.thought_id, thought, thought, true);
  return null;
end
$$;
drop trigger count_insert on thought_likes;
create trigger count_insert after insert on thought_likes for each row execute function count_thought_like();

-- As they were, with what comments are counted in.
create or replace function drop_change_log_partition(days integer) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
  set lock_timeout = '200ms'
as $$
declare
  partition text;
  day date;
  last record;
begin
  select c.relname into partition from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'change_log'::regclass and c.relname ~ '^change_log_[0-9]{8}$'
    and right(c.relname, 8) < to_char((now() at time zone 'UTC')::date - days, 'YYYYMMDD')
  order by c.relname limit 1;
  if partition is null then
    return 0;
  end if;
  day := to_date(right(partition, 8), 'YYYYMMDD');
  select xid, id + (counted is distinct from null)::integer as number into last from change_log
  where at >= day::timestamp at time zone 'UTC' and at < (day + 1)::timestamp at time zone 'UTC'
  order by xid desc, id desc limit 1;
  if found then
    delete from change_log_floor;
    insert into change_log_floor values (last.xid, last.number);
  end if;
  execute format('drop table %I', partition);
  return 1;
exception
  when lock_not_available then return 0;
end
$$;

create or replace function begin_ranking(
  batch integer, lease double precision,
  out thoughts uuid[], out passed_xid xid8, out passed_id bigint, out has_more boolean
)
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  here thought_ranks_position;
begin
  update thought_ranks_position set claimed_at = clock_timestamp()
  where claimed_at <= clock_timestamp() - make_interval(secs => lease) returning * into here;
  thoughts := '{}';
  has_more := false;
  if found then
    -- A backup may have brought the position from a cluster whose transactions had higher numbers.
    if here.xid >= pg_snapshot_xmax(pg_current_snapshot()) then
      update thought_ranks_position set xid = '0', id = 0 returning * into here;
    end if;
    with entries as materialized (
      select xid, id, xid < pg_snapshot_xmin(pg_current_snapshot()) as is_settled,
        case when type = 'thought' then object_id when (counted).status is not null then (after).subject_id end as thought
      from change_log where (xid, id) > (here.xid, here.id) order by xid, id limit batch
    )
    select array(select distinct thought from entries where thought is not null),
        (select count(*) = batch from entries where is_settled), last.xid, last.id
      into thoughts, has_more, passed_xid, passed_id
    from (select) as one
    left join (select xid, id from entries where is_settled order by xid desc, id desc limit 1) as last on true;
  end if;
end
$$;

-- PostgreSQL plans a SQL function that it cannot inline at each call, and starts an executor at each row. Plans of PL/pgSQL
-- stay.
create or replace function notification_text(kind text, actor text, others integer, subject text) returns text
  language plpgsql immutable parallel safe
as $$
begin
  return actor || case when others = 0 or kind in ('EVENT_CHANGED', 'EVENT_CANCELLED') then ''
      when others = 1 then ' and one other' else ' and ' || others::text || ' others' end
    || case kind when 'LIKE' then ' liked ' when 'COMMENT' then ' commented on ' when 'RATING' then ' rated '
      when 'RSVP' then ' responded to ' when 'EVENT_CHANGED' then ' changed ' when 'EVENT_CANCELLED' then ' cancelled '
      else ' wrote to you' end
    || case when kind = 'MESSAGE' then '.' else '“' || subject || '”.' end;
end
$$;

create or replace function notification_subject(name text) returns text
  language plpgsql immutable parallel safe
as $$
begin
  return regexp_replace(left(name, 59), '\s+', ' ', 'g') || case when length(name) > 59 then '…' else '' end;
end
$$;

create or replace function count_others(these uuid[], those uuid[]) returns integer
  language plpgsql immutable parallel safe
as $$
declare
  one uuid;
  others integer := 0;
begin
  foreach one in array these loop
    if one <> all (those) then
      others := others + 1;
    end if;
  end loop;
  return others;
end
$$;

drop function news_groups(bigint[], integer);
create function news_groups(taken bigint[], page integer) returns setof news_group
  language plpgsql stable
as $$
#variable_conflict use_column
begin
  return query
  with acts as materialized (
    select * from news where id = any(taken)
  ), recipients as (
    select a.id, t.author_id as user_id, notification_subject(coalesce(t.title, t.text)) as subject
    from acts a join thoughts t on t.id = a.subject_id
    where a.subject_type = 'thought' and case a.kind
      when 'LIKE' then exists (select from thought_likes l where l.thought_id = t.id and l.user_id = a.actor_id)
      when 'RATING' then exists (select from thought_ratings r where r.thought_id = t.id and r.user_id = a.actor_id)
      else true end
    union all
    select a.id, e.author_id, notification_subject(e.name)
    from acts a join events e on e.id = a.subject_id
    where a.kind = 'COMMENT' and a.subject_type = 'event'
      or a.kind = 'RSVP'
        and exists (select from event_rsvps r where r.event_id = e.id and r.user_id = a.actor_id)
    union all
    select a.id, p.user_id, ''
    from acts a join conversation_members p on p.conversation_id = a.subject_id
    where a.kind = 'MESSAGE' and p.user_id is not null and p.left_at is null
      and p.last_read_number < p.newest_from_others
    union all
    select a.id, r.user_id, notification_subject(e.name)
    from acts a join events e on e.id = a.subject_id
    cross join lateral (
      select user_id from event_rsvps where event_id = e.id and (a.told_up_to is null or user_id > a.told_up_to)
      order by user_id limit page
    ) as r
    where a.kind in ('EVENT_CHANGED', 'EVENT_CANCELLED')
  ), heard as (
    select r.user_id, a.kind, a.subject_type, a.subject_id, a.actor_id, u.display_name, r.subject, max(a.id) as newest
    from recipients r join acts a on a.id = r.id join users u on u.id = a.actor_id
    where r.user_id <> a.actor_id and not exists (
      select from blocks b where b.blocker_id = r.user_id and b.blocked_id = a.actor_id
        or b.blocker_id = a.actor_id and b.blocked_id = r.user_id)
    group by 1, 2, 3, 4, 5, 6, 7
  )
  select user_id, kind, subject_type, subject_id, array_agg(actor_id order by newest desc),
    (array_agg(display_name order by newest desc))[1], max(subject)
  from heard group by user_id, kind, subject_type, subject_id;
end
$$;

grant execute on function news_groups(bigint[], integer) to tertulia_trigger;

reset role;
alter function log_thought_insert() owner to tertulia_trigger;
alter function count_comment() owner to tertulia_trigger;
alter function count_thought_like() owner to tertulia_trigger;
