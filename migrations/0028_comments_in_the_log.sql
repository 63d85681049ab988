alter function count_comment() owner to tertulia_owner;
alter function tell_news(integer) owner to tertulia_owner;
set local role tertulia_owner;

lock table comments in access exclusive mode;

-- A comment's row of the log tells who commented on what, which is the news of it. As every reader of the log, who tells
-- them takes rows once no older transaction runs.
drop trigger note_insert on comments;
set local role tertulia_trigger;
drop function note_comment();
set local role tertulia_owner;

-- As it was, in one statement: two, with variables between them, take PostgreSQL longer.
create or replace function count_comment() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if new.thought_id is not null then
    with subject as (
      update thoughts set comment_count = comment_count + 1 where id = new.thought_id
      returning row(author_id, status, category, null, null)::change_state as state
    )
    insert into change_log (type, object_id, after, counted)
    select 'comment', new.id, row(new.author_id, null, null, null, new.thought_id)::change_state, state from subject;
  else
    with subject as (
      update events set comment_count = comment_count + 1 where id = new.event_id
      returning row(author_id, null, null, starts_at, null)::change_state as state
    )
    insert into change_log (type, object_id, after, counted)
    select 'comment', new.id, row(new.author_id, null, null, null, new.event_id)::change_state, state from subject;
  end if;
  return null;
end
$$;

-- Up to where the log's comments are noted as news; one row.
create table news_position (
  xid xid8 not null,
  id bigint not null,
  -- Comments up to this row were noted as they were written.
  noted_up_to bigint not null
);
alter table news_position enable row level security;
alter table news_position force row level security;
create policy tell on news_position to tertulia_trigger using (true) with check (true);
create policy tell on change_log for select to tertulia_trigger using (true);
grant select, insert, update on news_position to tertulia_trigger;
grant select on change_log to tertulia_trigger;

-- Notes the comments among the next rows of transactions before one.
-- Returns how many rows there were.
create function note_comments(settled xid8, page integer) returns integer
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  here news_position;
  seen integer;
begin
  select * into here from news_position;
  with entries as materialized (
    select xid, id, type, after, counted from change_log
    where (xid, id) > (here.xid, here.id) and xid < settled order by xid, id limit page
  ), noted as (
    insert into news (kind, subject_type, subject_id, actor_id)
    select 'COMMENT', case when (counted).status is null then 'event' else 'thought' end,
      (after).subject_id, (after).author_id
    from entries where type = 'comment' and counted is distinct from null and id > here.noted_up_to order by xid, id
  ), passed as (
    update news_position p set xid = e.xid, id = e.id
    from (select xid, id from entries order by xid desc, id desc limit 1) as e
  )
  select count(*) into seen from entries;
  return seen;
end
$$;

alter function tell_news(integer) rename to tell_noted_news;
-- Returns how many acts were told; at least a batch where more of the log is left.
create function tell_news(batch integer) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  page constant integer := 4 * batch;
  is_more boolean;
begin
  -- "news" as a number.
  if not pg_try_advisory_xact_lock(1852143475) then
    return 0;
  end if;
  is_more := note_comments(pg_snapshot_xmin(pg_current_snapshot()), page) = page;
  return greatest(tell_noted_news(batch), case when is_more then batch end);
end
$$;
revoke execute on function tell_noted_news(integer) from tertulia_worker;
grant execute on function tell_noted_news(integer), note_comments(xid8, integer) to tertulia_trigger;
grant execute on function tell_news(integer) to tertulia_worker;

-- As it was, and what its comments would still have told is noted.
create or replace function adopt_change_log() returns boolean
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  set local role tertulia_owner;
  lock table change_log_origin in exclusive mode;
  if not change_log_is_foreign() then
    return false;
  end if;
  perform pg_advisory_xact_lock(1852143475);
  lock table comments, change_log in access exclusive mode;
  set local role tertulia_trigger;
  while note_comments('18446744073709551615', 10000) > 0 loop
  end loop;
  update news_position set xid = pg_snapshot_xmin(pg_current_snapshot()), id = 0;
  set local role tertulia_owner;
  truncate change_log, change_log_floor, thought_ranks, thought_ranks_position;
  delete from change_log_origin;
  insert into change_log_origin
  select s.system_identifier, d.oid from pg_control_system() s, pg_database d where d.datname = current_database();
  set local role tertulia_worker;
  insert into thought_ranks_position (xid, id) values (pg_snapshot_xmin(pg_current_snapshot()), 0);
  insert into thought_ranks (thought_id, kind, rank)
  select id, kind, rank from thoughts t cross join lateral (values
    ('MOST_LIKED', t.like_count), ('MOST_DISCUSSED', t.comment_count),
    ('BEST_RATED', 1000 * (t.rating_total + 15) / (t.rating_count + 5))
  ) as ranks (kind, rank) where status = 'PUBLISHED';
  return true;
end
$$;

-- What was written before was noted then; what an older transaction writes after this is not.
set local role tertulia_trigger;
insert into news_position
select pg_snapshot_xmin(pg_current_snapshot()), 0, coalesce(max(id), 0) from change_log
where xid >= pg_snapshot_xmin(pg_current_snapshot());

reset role;
alter function count_comment() owner to tertulia_trigger;
alter function tell_noted_news(integer) owner to tertulia_trigger;
alter function tell_news(integer) owner to tertulia_trigger;
