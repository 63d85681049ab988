set local role tertulia_owner;

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
create index on idempotency (created_at);

-- Token buckets that all replicas share.
create table rate_limits (
  key text primary key,
  tokens double precision not null,
  at timestamptz not null default now()
);

alter table idempotency enable row level security, force row level security;
alter table rate_limits enable row level security, force row level security;
-- A mutation that changes credentials runs as tertulia_worker, its claim with it.
create policy own on idempotency to tertulia_server using (account_id = (select viewer_id()));
create policy sweep on idempotency to tertulia_worker using (true);

create policy buckets on rate_limits to tertulia_worker using (true);

grant select, delete on idempotency to tertulia_server, tertulia_worker;
grant insert (account_id, mutation, client_mutation_id, input_hash, outcome) on idempotency to tertulia_server;
grant update (outcome) on idempotency to tertulia_server;
grant insert (account_id, mutation, client_mutation_id, input_hash, outcome) on idempotency to tertulia_worker;
-- Where an anonymous account is merged.
grant update (account_id) on idempotency to tertulia_worker;
grant select, insert, update, delete on rate_limits to tertulia_worker;

-- The tokens that a bucket of `quota`, refilled in so many seconds, holds by now. Locks its row.
create function bucket_level(bucket text, quota double precision, seconds double precision) returns double precision
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  level double precision;
begin
  insert into rate_limits (key, tokens, at) values (bucket, quota, clock_timestamp()) on conflict do nothing;
  select least(quota, tokens + greatest(0, extract(epoch from clock_timestamp() - at)) * quota / seconds)
    into level from rate_limits where key = bucket for update;
  return level;
end
$$;

-- Takes a token from the bucket and from that of its site, which holds 16 times as much. `remaining` is what both have
-- left; `wait` the seconds until there is a token, 0 where one was taken. The site's bucket is locked first, and a site
-- whose bucket is empty adds no rows.
create function take_rate(
    bucket text, site text, quota double precision, seconds double precision,
    out remaining double precision, out wait double precision)
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  of_site double precision;
begin
  wait := 0;
  if site is not null then
    of_site := bucket_level(site, 16 * quota, seconds);
    if of_site < 1 then
      remaining := 0;
      wait := (1 - of_site) * seconds / (16 * quota);
      return;
    end if;
  end if;
  remaining := bucket_level(bucket, quota, seconds);
  if remaining < 1 then
    wait := (1 - remaining) * seconds / quota;
    remaining := 0;
    return;
  end if;
  update rate_limits set tokens = remaining - 1, at = clock_timestamp() where key = bucket;
  update rate_limits set tokens = of_site - 1, at = clock_timestamp() where key = site;
  remaining := least(remaining, of_site) - 1;
end
$$;

grant execute on function bucket_level(text, double precision, double precision),
  take_rate(text, text, double precision, double precision) to tertulia_worker;

reset role;
