set local role tertulia_owner;

-- Gives the claims of an anonymous account to another account: the newest 10,000. A claim that both accounts have stays the
-- other account's. Claims of reports stay behind, because the reports do: the other account's repetition makes its own.
create function move_claims(source uuid, target uuid) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  -- If the other account makes the same claim at this moment, the update waits for that transaction and then fails. The
  -- next round leaves this claim out.
  loop
    begin
      update idempotency set account_id = target where ctid = any(array(
        select ctid from idempotency i where account_id = source and mutation <> 'reportContent' and not exists (
          select from idempotency o where o.account_id = target and o.mutation = i.mutation
            and o.client_mutation_id = i.client_mutation_id)
        order by created_at desc limit 10000));
      return;
    exception
      when unique_violation then null;
    end;
  end loop;
end
$$;

-- Moves up to `batch` rows. If there are more, it leaves a row in account_merges, by which a worker moves the rest later.
-- Claims move at once, before the rest: a mutation whose answer was lost may be sent again as soon as the other account is
-- signed in.
create or replace function begin_merge(source uuid, target uuid, batch integer) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  -- The lock keeps out writes in the anonymous account's name.
  perform from users where id = source and is_anonymous for update;
  if found and source <> target then perform move_claims(source, target); end if;
  if merge_account(source, target, batch) then
    insert into account_merges (source_id, target_id) values (source, target) on conflict do nothing;
  end if;
end
$$;

grant execute on function move_claims(uuid, uuid) to tertulia_worker;
grant update (account_id) on idempotency to tertulia_worker;

reset role;
