set local role tertulia_owner;

-- What subscriptions are matched by: the state of an object on either side of a change; null where it does not exist.
create type change_state as (
  author_id uuid,
  status text,
  category text,
  starts_at timestamptz,
  subject_id uuid
);

create table change_log (
  xid xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  at timestamptz not null default now(),
  type text not null,
  object_id uuid not null,
  before change_state,
  after change_state,
  -- Only counters differ: several may be merged into the newest.
  counters_only boolean not null default false
) partition by range (at);

create table change_log_default partition of change_log default;
create index on change_log (xid, id);

alter table change_log enable row level security;
alter table change_log force row level security;
alter table change_log_default enable row level security;
alter table change_log_default force row level security;
create policy append on change_log for insert to tertulia_trigger with check (true);
create policy tail on change_log for select to tertulia_worker using (true);
grant insert on change_log to tertulia_trigger;
grant select on change_log to tertulia_worker;

-- Partitions are made ahead, so that the default one stays empty. Called at start and once a day.
create function make_change_log_partitions(days integer) returns void
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  day date;
  partition text;
begin
  for day in select (now() at time zone 'UTC')::date + n from generate_series(0, days) as n loop
    partition := 'change_log_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(partition) is not null;
    begin
      execute format(
        'create table %I partition of change_log for values from (%L) to (%L)', partition,
        day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      execute format('alter table %I enable row level security, force row level security', partition);
    exception
      -- Another replica makes the same, or rows of that day already went to the default partition.
      when duplicate_table or unique_violation or check_violation then null;
    end;
  end loop;
end
$$;
grant execute on function make_change_log_partitions(integer) to tertulia_worker;
select make_change_log_partitions(3);

-- The outcome of a mutation that carried a clientMutationId. It is claimed before the write, in its transaction.
create table idempotency (
  account_id uuid not null,
  mutation text not null,
  client_mutation_id text not null,
  -- HMAC of the input under a key of the server's; another input under the same id is refused.
  input_hash bytea not null,
  outcome jsonb not null,
  created_at timestamptz not null default now(),
  primary key (account_id, mutation, client_mutation_id)
);
alter table idempotency enable row level security;
alter table idempotency force row level security;
create policy own on idempotency to tertulia_server using (account_id = (select viewer_id()));
create policy sweep on idempotency to tertulia_worker using (true);
grant select, delete on idempotency to tertulia_server;
grant insert (account_id, mutation, client_mutation_id, input_hash, outcome) on idempotency to tertulia_server;
grant select, delete on idempotency to tertulia_worker;
create index on idempotency (created_at);

-- Token buckets that all replicas share.
create table rate_limits (
  key text primary key,
  tokens double precision not null,
  at timestamptz not null default now()
);
alter table rate_limits enable row level security;
alter table rate_limits force row level security;
create policy buckets on rate_limits to tertulia_worker using (true);
grant select, insert, update, delete on rate_limits to tertulia_worker;

-- Takes one token; gives the seconds to wait where there is none, else 0.
create function take_token(bucket text, capacity double precision, per_second double precision)
  returns double precision
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  refilled double precision;
begin
  insert into rate_limits (key, tokens, at) values (bucket, capacity, clock_timestamp()) on conflict do nothing;
  select least(capacity, tokens + greatest(0, extract(epoch from clock_timestamp() - at)) * per_second)
    into refilled from rate_limits where key = bucket for update;
  if refilled < 1 then
    return (1 - refilled) / per_second;
  end if;
  update rate_limits set tokens = refilled - 1, at = clock_timestamp() where key = bucket;
  return 0;
end
$$;
grant execute on function take_token(text, double precision, double precision) to tertulia_worker;

reset role;
