set local role tertulia_owner;

-- Deleting an account changes the counters of all that it liked, commented on or came to. These are locked first, in
-- the order of their ids, as single mutations lock them. A table whose rows are counted belongs into this list.
create function lock_before_user_deletion() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform from thoughts where id in (
    select id from thoughts where author_id = old.id
    union select thought_id from thought_likes where user_id = old.id
    union select thought_id from thought_saves where user_id = old.id
    union select thought_id from thought_ratings where user_id = old.id
    union select thought_id from comments where author_id = old.id
  ) order by id for update;
  perform from events where id in (
    select id from events where author_id = old.id
    union select event_id from event_rsvps where user_id = old.id
    union select event_id from comments where author_id = old.id
  ) order by id for update;
  return old;
end
$$;
create trigger lock_delete before delete on users for each row execute function lock_before_user_deletion();

-- Locks thoughts, then events, each in the order of their ids, as whatever else locks several.
create function lock_counting(thoughts uuid[], events uuid[]) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  perform lock_thought(id) from (select distinct unnest(thoughts) as id order by 1) as t where id is not null;
  perform lock_event(id) from (select distinct unnest(events) as id order by 1) as e where id is not null;
end
$$;

-- Removes up to `batch` rows of others that belong to these thoughts or events, and, when no more are left, the
-- thoughts and events themselves. Returns how many rows went.
create function remove_things(things uuid[], batch integer) returns integer
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  gone integer;
begin
  perform lock_counting(things, things);
  delete from comments where id = any(array(
    select id from comments where thought_id = any(things) limit batch));
  get diagnostics gone = row_count;
  if gone > 0 then return gone; end if;
  delete from comments where id = any(array(
    select id from comments where event_id = any(things) limit batch));
  get diagnostics gone = row_count;
  if gone > 0 then return gone; end if;
  delete from thought_likes m using (
    select thought_id, user_id from thought_likes where thought_id = any(things) limit batch
  ) as part where m.thought_id = part.thought_id and m.user_id = part.user_id;
  get diagnostics gone = row_count;
  if gone > 0 then return gone; end if;
  delete from thought_saves m using (
    select thought_id, user_id from thought_saves where thought_id = any(things) limit batch
  ) as part where m.thought_id = part.thought_id and m.user_id = part.user_id;
  get diagnostics gone = row_count;
  if gone > 0 then return gone; end if;
  delete from thought_ratings m using (
    select thought_id, user_id from thought_ratings where thought_id = any(things) limit batch
  ) as part where m.thought_id = part.thought_id and m.user_id = part.user_id;
  get diagnostics gone = row_count;
  if gone > 0 then return gone; end if;
  delete from thought_shares where id = any(array(
    select id from thought_shares where thought_id = any(things) limit batch));
  get diagnostics gone = row_count;
  if gone > 0 then return gone; end if;
  delete from event_rsvps m using (
    select event_id, user_id from event_rsvps where event_id = any(things) limit batch
  ) as part where m.event_id = part.event_id and m.user_id = part.user_id;
  get diagnostics gone = row_count;
  if gone > 0 then return gone; end if;
  delete from thoughts where id = any(things);
  delete from events where id = any(things);
  return cardinality(things);
end
$$;

-- Removes one batch of a deleted account; returns whether it has more. The account itself goes with the last batch.
create function remove_deleted_account(account uuid, batch integer) returns boolean
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  ids uuid[];
begin
  update deleted_accounts set leased_until = clock_timestamp() + interval '1 minute' where user_id = account;
  if not found then return false; end if;

  ids := array(select id from thoughts where author_id = account order by created_at desc, id desc limit batch);
  if ids = '{}' then
    ids := array(select id from events where author_id = account limit batch);
  end if;
  if ids <> '{}' then
    perform remove_things(ids, batch);
    return true;
  end if;

  ids := array(select thought_id from thought_likes where user_id = account order by created_at desc limit batch);
  if ids <> '{}' then
    perform lock_counting(ids, '{}');
    delete from thought_likes where user_id = account and thought_id = any(ids);
    return true;
  end if;
  ids := array(select thought_id from thought_saves where user_id = account order by created_at desc limit batch);
  if ids <> '{}' then
    perform lock_counting(ids, '{}');
    delete from thought_saves where user_id = account and thought_id = any(ids);
    return true;
  end if;
  ids := array(select thought_id from thought_ratings where user_id = account limit batch);
  if ids <> '{}' then
    perform lock_counting(ids, '{}');
    delete from thought_ratings where user_id = account and thought_id = any(ids);
    return true;
  end if;
  ids := array(select event_id from event_rsvps where user_id = account order by created_at desc limit batch);
  if ids <> '{}' then
    perform lock_counting('{}', ids);
    delete from event_rsvps where user_id = account and event_id = any(ids);
    return true;
  end if;
  ids := array(select id from comments where author_id = account limit batch);
  if ids <> '{}' then
    perform lock_counting(
      array(select thought_id from comments where id = any(ids)),
      array(select event_id from comments where id = any(ids)));
    delete from comments where id = any(ids);
    return true;
  end if;

  -- Shares stay counted, and messages stay in their conversations.
  update thought_shares set user_id = null where id = any(array(
    select id from thought_shares where user_id = account limit batch));
  if found then return true; end if;
  update messages set author_id = null where id = any(array(
    select id from messages where author_id = account limit batch));
  if found then return true; end if;
  update conversation_members p set user_id = null from (
    select conversation_id, place from conversation_members where user_id = account limit batch
  ) as part where p.conversation_id = part.conversation_id and p.place = part.place;
  if found then return true; end if;

  delete from images where id = any(array(select id from images where owner_id = account limit batch));
  if found then return true; end if;
  delete from notifications where id = any(array(select id from notifications where user_id = account limit batch));
  if found then return true; end if;
  delete from sessions where id = any(array(select id from sessions where user_id = account limit batch));
  if found then return true; end if;
  delete from idempotency where ctid = any(array(
    select ctid from idempotency where account_id = account limit batch));
  if found then return true; end if;
  delete from blocks where ctid = any(array(
    select ctid from blocks where blocker_id = account or blocked_id = account limit batch));
  if found then return true; end if;

  -- An anonymous account that was being merged into this one has no other owner.
  insert into deleted_accounts (user_id) select source_id from account_merges where target_id = account
  on conflict do nothing;
  delete from users where id = account;
  return false;
end
$$;

-- Moves up to `batch` rows of an anonymous account into another; returns whether there are more. The anonymous account
-- goes with the last batch. An act of both accounts counts once: the other account's stays.
create function merge_account(source uuid, target uuid, batch integer) returns boolean
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  rest integer := batch;
  liked uuid[];
  saved uuid[];
  rated uuid[];
  came uuid[];
  -- The length of these four arrays.
  marks integer;
  moved integer;
begin
  update account_merges set leased_until = clock_timestamp() + interval '1 minute' where source_id = source;
  -- The locks keep out writes in the anonymous account's name, and let merges into one account take turns.
  perform from users where id = source and is_anonymous for update;
  if not found or source = target then return false; end if;
  perform from users where id = target for no key update;
  if not found then return false; end if;

  liked := array(select thought_id from thought_likes where user_id = source order by created_at desc limit rest);
  rest := rest - cardinality(liked);
  saved := array(select thought_id from thought_saves where user_id = source order by created_at desc limit rest);
  rest := rest - cardinality(saved);
  rated := array(select thought_id from thought_ratings where user_id = source limit rest);
  rest := rest - cardinality(rated);
  came := array(select event_id from event_rsvps where user_id = source order by created_at desc limit rest);
  marks := batch - rest + cardinality(came);

  -- Before thoughts and events are locked: where the other account inserts the same row at this moment, an update waits
  -- for it and fails, and the next round leaves it out.
  loop
    begin
      update thought_likes m set user_id = target where user_id = source and thought_id = any(liked) and not exists (
        select from thought_likes o where o.user_id = target and o.thought_id = m.thought_id);
      update thought_saves m set user_id = target where user_id = source and thought_id = any(saved) and not exists (
        select from thought_saves o where o.user_id = target and o.thought_id = m.thought_id);
      update thought_ratings m set user_id = target where user_id = source and thought_id = any(rated) and not exists (
        select from thought_ratings o where o.user_id = target and o.thought_id = m.thought_id);
      update event_rsvps m set user_id = target where user_id = source and event_id = any(came) and not exists (
        select from event_rsvps o where o.user_id = target and o.event_id = m.event_id);
      rest := batch - marks;
      update thought_shares set user_id = target where id = any(array(
        select id from thought_shares where user_id = source limit rest));
      get diagnostics moved = row_count;
      rest := rest - moved;
      update images set owner_id = target where id = any(array(
        select id from images where owner_id = source limit rest));
      get diagnostics moved = row_count;
      rest := rest - moved;
      update push_devices set user_id = target where id = any(array(
        select id from push_devices where user_id = source limit rest));
      get diagnostics moved = row_count;
      rest := rest - moved;
      update notifications set user_id = target where id = any(array(
        select id from notifications n where user_id = source and kind <> 'MESSAGE'
          and (read_at is not null or not exists (
            select from notifications o where o.user_id = target and o.kind = n.kind and o.subject_id = n.subject_id
              and o.read_at is null))
        limit rest));
      get diagnostics moved = row_count;
      rest := rest - moved;
      -- Blocks stay, in both directions.
      update blocks set blocker_id = target where (blocker_id, blocked_id) in (
        select source, blocked_id from blocks b where blocker_id = source and blocked_id <> target and not exists (
          select from blocks o where o.blocker_id = target and o.blocked_id = b.blocked_id)
        limit rest);
      get diagnostics moved = row_count;
      rest := rest - moved;
      update blocks set blocked_id = target where (blocker_id, blocked_id) in (
        select blocker_id, source from blocks b where blocked_id = source and blocker_id <> target and not exists (
          select from blocks o where o.blocked_id = target and o.blocker_id = b.blocker_id)
        limit rest);
      get diagnostics moved = row_count;
      rest := rest - moved;
      exit;
    exception
      when unique_violation then null;
    end;
  end loop;
  perform lock_counting(
    array(
      select thought_id from thought_likes where user_id = source and thought_id = any(liked)
      union all select thought_id from thought_saves where user_id = source and thought_id = any(saved)
      union all select thought_id from thought_ratings where user_id = source and thought_id = any(rated)),
    array(select event_id from event_rsvps where user_id = source and event_id = any(came)));
  delete from thought_likes where user_id = source and thought_id = any(liked);
  delete from thought_saves where user_id = source and thought_id = any(saved);
  delete from thought_ratings where user_id = source and thought_id = any(rated);
  delete from event_rsvps where user_id = source and event_id = any(came);
  if rest <= 0 then return true; end if;
  delete from users where id = source;
  return false;
end
$$;

-- Moves the newest claims of an anonymous account into another, at most 10,000. Where both have a claim, the other account's
-- stays.
create function move_claims(source uuid, target uuid) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  -- Where the other account makes the same claim at this moment, the update waits for it and fails, and the next round
  -- leaves it out.
  loop
    begin
      update idempotency set account_id = target where ctid = any(array(
        select ctid from idempotency i where account_id = source and not exists (
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

-- Moves up to `batch` rows at once. Where there are more, it leaves a record from which the rest is taken. The claims are
-- all moved at once: a mutation whose answer was lost may be sent again as soon as the other account is signed in.
create function begin_merge(source uuid, target uuid, batch integer) returns void
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

grant execute on function lock_counting(uuid[], uuid[]), remove_things(uuid[], integer),
  remove_deleted_account(uuid, integer), merge_account(uuid, uuid, integer), move_claims(uuid, uuid),
  begin_merge(uuid, uuid, integer)
  to tertulia_worker;

reset role;
alter function lock_before_user_deletion() owner to tertulia_trigger;
