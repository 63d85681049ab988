set local role tertulia_owner;

-- The place of each published thought in the orders by counters, a little behind the counters. An index on a counter
-- would make each like and each comment write all indexes of the thought anew.
create table thought_ranks (
  thought_id uuid not null,
  kind text not null,
  rank integer not null,
  primary key (thought_id, kind)
);
create index thought_ranks_order on thought_ranks (kind, rank desc, thought_id desc);

-- The position in the change log up to which the ranks have been computed, and when a replica last began to go on. One
-- row.
create table thought_ranks_position (
  xid xid8 not null,
  id bigint not null,
  claimed_at timestamptz not null default '-infinity'
);

alter table thought_ranks enable row level security, force row level security;
alter table thought_ranks_position enable row level security, force row level security;
-- A rank may outlive its thought's publication by a moment: it is seen by those who see the thought.
create policy visible on thought_ranks for select to tertulia_server
  using ((select true from thoughts t where t.id = thought_id));
create policy refresh on thought_ranks to tertulia_worker using (true);
create policy publication on thought_ranks for select to tertulia_trigger using (true);
create policy publish on thought_ranks for insert to tertulia_trigger with check (true);

create policy refresh on thought_ranks_position to tertulia_worker using (true);

grant select on thought_ranks to tertulia_server;
grant select, insert, update, delete on thought_ranks to tertulia_worker;
grant select, insert on thought_ranks to tertulia_trigger;
grant select, insert, update on thought_ranks_position to tertulia_worker;

-- A thought stands in the orders by counters from its publication on; rank_thoughts moves it.
create function rank_published_thought() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into thought_ranks (thought_id, kind, rank) values
    (new.id, 'MOST_LIKED', new.like_count), (new.id, 'MOST_DISCUSSED', new.comment_count),
    (new.id, 'BEST_RATED', 1000 * (new.rating_total + 15) / (new.rating_count + 5))
  -- A thought that is published again before its ranks were deleted has them still.
  on conflict do nothing;
  return null;
end
$$;
create trigger rank_insert after insert on thoughts for each row
  when (new.status = 'PUBLISHED') execute function rank_published_thought();
create trigger rank_publication after update of status on thoughts for each row
  when (new.status = 'PUBLISHED' and old.status <> 'PUBLISHED') execute function rank_published_thought();

-- The thoughts that the next rows of the change log concern, unless another replica began within the lease (in
-- seconds). A row is returned as soon as it is seen, but passed only when no older transaction runs: its rows would
-- come before it.
create function begin_ranking(
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
        case when type = 'thought' then object_id when (counted).status is not null then (after).subject end
          as thought
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

-- Writes the ranks of these thoughts that have changed. BEST_RATED is a Bayesian mean in millistars: five ratings of
-- three stars are taken as given, so that one five-star vote does not win.
create function rank_thoughts(ids uuid[]) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  -- Another call waits here, and then reads counters that are no older than those that this call writes.
  perform from thought_ranks_position for update;
  insert into thought_ranks (thought_id, kind, rank)
  select t.id, at_present.kind, at_present.rank
  from thoughts t
  cross join lateral (values
    ('MOST_LIKED', t.like_count), ('MOST_DISCUSSED', t.comment_count),
    ('BEST_RATED', 1000 * (t.rating_total + 15) / (t.rating_count + 5))
  ) as at_present (kind, rank)
  left join thought_ranks r on r.thought_id = t.id and r.kind = at_present.kind
  where t.id = any(ids) and t.status = 'PUBLISHED' and r.rank is distinct from at_present.rank
  on conflict (thought_id, kind) do update set rank = excluded.rank;
  delete from thought_ranks where thought_id = any(array(
    select gone from unnest(ids) as gone
    where not exists (select from thoughts t where t.id = gone and t.status = 'PUBLISHED')));
end
$$;

grant execute on function begin_ranking(integer, double precision), rank_thoughts(uuid[]) to tertulia_worker;

reset role;
alter function rank_published_thought() owner to tertulia_trigger;

set local role tertulia_worker;
insert into thought_ranks_position (xid, id) values (pg_snapshot_xmin(pg_current_snapshot()), 0);
reset role;
