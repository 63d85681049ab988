set local role tertulia_owner;

-- A device token names the generation that it is of: a new one ends all tokens of the account.
alter table credentials add column device_generation integer not null default 0;

drop function take_token(text, double precision, double precision);

-- Takes one from a bucket that holds `quota` and is refilled in so many seconds, and from that of the site, which holds 16
-- times as much. `remaining` is what both have left; `wait` the seconds until there is one, 0 where one was taken. The
-- site's bucket is locked before the other, and a site with an empty one adds no rows.
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

-- What a bucket holds by now; its row is locked.
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
grant execute on function take_rate(text, text, double precision, double precision) to tertulia_worker;
grant execute on function bucket_level(text, double precision, double precision) to tertulia_worker;
reset role;
