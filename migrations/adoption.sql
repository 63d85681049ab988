-- Brings a database of the 33 migrations before the baseline to the form that the baseline makes. It goes when no such
-- database is left.

-- Comments that an earlier migration noted as they were written must not be noted again from the log.
set local role tertulia_trigger;
do $$
begin
  perform pg_advisory_xact_lock(1852143475);
  while note_comments(pg_snapshot_xmin(pg_current_snapshot()), 10000) > 0 loop
  end loop;
end
$$;

-- The attributes of the log's states get names that fit every type, and one more.
set local role tertulia_owner;
alter type change_state rename attribute author_id to owner;
alter type change_state rename attribute starts_at to time;
alter type change_state rename attribute subject_id to subject;
alter type change_state add attribute extra jsonb;
reset role;
do $$
declare
  stale record;
  definition text;
begin
  for stale in
    select p.oid, p.proowner::regrole::text as owner from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and p.prosrc ~ '::change_state|[(]after[)][.]subject_id|null::uuid into'
  loop
    definition := pg_get_functiondef(stale.oid);
    definition := replace(definition, ')::change_state', ', null)::change_state');
    definition := replace(definition, 'null::uuid into', 'null::uuid, null::jsonb into');
    definition := replace(definition, '(after).subject_id', '(after).subject');
    definition := replace(definition, '(after).author_id', '(after).owner');
    execute format('set local role %I', stale.owner);
    execute definition;
  end loop;
end
$$;
reset role;

drop function comment_places(uuid[]);
alter function count_comments() rename to count_removed_comments;
alter function count_thought_likes() rename to count_removed_likes;
alter function log_thought_changes() rename to log_thought_deletion;
grant execute on function refuse_suspended_viewer(), release_image() to tertulia_owner;

create or replace function count_removed_comments() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  one record;
  comment change_state;
begin
  select *, count(*) over () as rows into one from changed;
  if one.rows = 1 then
    comment := row(one.author_id, null, null, null, coalesce(one.thought_id, one.event_id), null);
    if one.thought_id is not null then
      with counted as (
        update thoughts set comment_count = comment_count - 1 where id = one.thought_id
        returning id, row(author_id, status, category, null, null, null)::change_state as state
      )
      insert into change_log (type, object_id, before, after, counters_only)
      select 'comment', one.id, comment, null, false
      union all
      select 'thought', id, state, state, true from counted;
    else
      with counted as (
        update events set comment_count = comment_count - 1 where id = one.event_id
        returning id, row(author_id, null, null, starts_at, null, null)::change_state as state
      )
      insert into change_log (type, object_id, before, after, counters_only)
      select 'comment', one.id, comment, null, false
      union all
      select 'event', id, state, state, true from counted;
    end if;
  elsif one.rows > 1 then
    insert into change_log (type, object_id, before)
    select 'comment', id, row(author_id, null, null, null, coalesce(thought_id, event_id), null)::change_state
    from changed order by id;
    perform add_to_comment_count(thought_id, event_id, -n) from (
      select thought_id, event_id, count(*)::integer as n from changed group by 1, 2 order by 1, 2
    ) as subjects;
  end if;
  return null;
end
$$;

create or replace function count_removed_likes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform add_to_like_count(thought_id, -n) from (
    select thought_id, count(*)::integer as n from changed group by 1 order by 1
  ) as thoughts;
  return null;
end
$$;

create or replace function log_thought_deletion() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, before)
  select 'thought', o.id, row(o.author_id, o.status, o.category, null, null, null)::change_state
  from changed_from o order by o.id;
  return null;
end
$$;

create or replace function log_event_changes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    insert into change_log (type, object_id, after)
    select 'event', n.id, row(n.author_id, null, null, n.starts_at, null, null)::change_state
    from changed_to n order by n.id;
  else
    insert into change_log (type, object_id, before)
    select 'event', o.id, row(o.author_id, null, null, o.starts_at, null, null)::change_state
    from changed_from o order by o.id;
  end if;
  return null;
end
$$;

-- Comments up to `noted_up_to` are in `news` already. The position may lie before them, since it was that of the oldest
-- transaction in any database of the cluster.
set local role tertulia_trigger;
update news_position p set xid = c.xid, id = c.id
from (
  select l.xid, l.id from change_log l, news_position n where l.id <= n.noted_up_to order by l.xid desc, l.id desc limit 1
) as c
where (c.xid, c.id) > (p.xid, p.id);
reset role;

set local role tertulia_owner;
alter table news_position drop column noted_up_to;
drop policy explains on blocks;
alter policy chat on blocks rename to triggers;
drop policy tell on deleted_accounts;
alter policy gone on deleted_accounts rename to triggers;
drop policy serving on images;
drop policy uses on messages;
alter policy audit on messages rename to triggers;
drop policy push on notifications;
drop policy refresh on thoughts;
drop policy locks on users;
-- A grant on the table has these.
revoke select (id, conversation_id, author_id, number, image_id) on messages from tertulia_trigger;
revoke select (id, status, like_count, comment_count, rating_count, rating_total) on thoughts from tertulia_worker;
revoke update (created_at) on users from tertulia_trigger;

-- Hidden and deleted accounts are looked up for each row where they are many.
create function listed_hidden_ids() returns uuid[]
  language sql stable parallel safe
  return case when current_setting('app.hidden', true) in ('BLOCKED', 'EITHER') then null
    else coalesce(nullif(current_setting('app.hidden', true), ''), '{}')::uuid[] end;

create function unlisted_hidden_ids() returns uuid[]
  language plpgsql stable parallel safe
  set search_path = public, pg_temp
as $$
begin
  return (
    select case current_setting('app.hidden', true) when 'BLOCKED' then blocked else blocked || blocked_by end
    from hidden_people where hidden_people.viewer_id = viewer_id());
end
$$;

create or replace function hidden_ids() returns uuid[]
  language sql stable parallel safe
  return coalesce(listed_hidden_ids(), unlisted_hidden_ids(), '{}');

create function viewer_hides(person uuid) returns boolean
  language plpgsql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
begin
  return exists (select from blocks where blocker_id = viewer_id() and blocked_id = person)
    or current_setting('app.hidden', true) = 'EITHER'
      and exists (select from blocks where blocker_id = person and blocked_id = viewer_id());
end
$$;

create function is_being_deleted(account uuid) returns boolean
  language plpgsql stable parallel safe
  set search_path = public, pg_temp
as $$
begin
  return exists (select from deleted_accounts where user_id = account);
end
$$;
grant execute on function listed_hidden_ids(), unlisted_hidden_ids() to tertulia_server, tertulia_worker,
  tertulia_trigger;
grant execute on function viewer_hides(uuid), is_being_deleted(uuid) to tertulia_server;
alter table hidden_people add column people integer not null
  generated always as (cardinality(blocked) + cardinality(blocked_by)) stored;
do $$
declare
  owned record;
begin
  for owned in select * from (values
    ('users', 'id'), ('thoughts', 'author_id'), ('thought_likes', 'user_id'), ('events', 'author_id'),
    ('event_rsvps', 'user_id'), ('comments', 'author_id'), ('images', 'owner_id')) as owned (in_table, by_column)
  loop
    execute format(
      'alter policy not_deleted on %I using (not exists (select from deleted_accounts) or not is_being_deleted(%I))',
      owned.in_table, owned.by_column);
    continue when owned.in_table = 'images';
    execute format(
      'alter policy not_hidden on %I using (coalesce(%I <> all ((select listed_hidden_ids())::uuid[]),'
      ' not viewer_hides(%2$I)))', owned.in_table, owned.by_column);
  end loop;
end
$$;
reset role;
alter function viewer_hides(uuid) owner to tertulia_trigger;

set local role tertulia_trigger;
create or replace function gone_acts_on_thought(thought uuid) returns text
  language plpgsql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
declare
  acts bigint := (
    select like_count::bigint + comment_count + save_count + rating_count from thoughts where id = thought);
  gone uuid[] := array(select user_id from deleted_accounts limit acts + 1);
begin
  if cardinality(gone) > acts then
    return concat_ws(' ',
      (select count(*) from thought_likes a where a.thought_id = thought
        and (select true from deleted_accounts d where d.user_id = a.user_id)),
      (select count(*) from comments a where a.thought_id = thought
        and (select true from deleted_accounts d where d.user_id = a.author_id)),
      (select count(*) from thought_saves a where a.thought_id = thought
        and (select true from deleted_accounts d where d.user_id = a.user_id)),
      (select concat_ws(' ', count(*), coalesce(sum(stars), 0)) from thought_ratings a where a.thought_id = thought
        and (select true from deleted_accounts d where d.user_id = a.user_id)));
  end if;
  return concat_ws(' ',
    (select count(*) from thought_likes where thought_id = thought and user_id = any(gone)),
    (select count(*) from comments where thought_id = thought and author_id = any(gone)),
    (select count(*) from thought_saves where thought_id = thought and user_id = any(gone)),
    (select concat_ws(' ', count(*), coalesce(sum(stars), 0)) from thought_ratings
      where thought_id = thought and user_id = any(gone)));
end
$$;

create or replace function gone_acts_on_event(event uuid) returns text
  language plpgsql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
declare
  acts bigint := (select interested_count::bigint + going_count + comment_count from events where id = event);
  gone uuid[] := array(select user_id from deleted_accounts limit acts + 1);
begin
  if cardinality(gone) > acts then
    return concat_ws(' ',
      (select concat_ws(' ', count(*) filter (where status = 'INTERESTED'), count(*) filter (where status = 'GOING'))
        from event_rsvps a where a.event_id = event
        and (select true from deleted_accounts d where d.user_id = a.user_id)),
      (select count(*) from comments a where a.event_id = event
        and (select true from deleted_accounts d where d.user_id = a.author_id)));
  end if;
  return concat_ws(' ',
    (select concat_ws(' ', count(*) filter (where status = 'INTERESTED'), count(*) filter (where status = 'GOING'))
      from event_rsvps where event_id = event and user_id = any(gone)),
    (select count(*) from comments where event_id = event and author_id = any(gone)));
end
$$;
reset role;

-- Parts of functions: comments, line breaks, and what nothing needs any more.
reset role;
do $adoption$
declare
  part record;
begin
  for part in
    select f.*, p.proowner::regrole::text as owner from (values
      ('note_comments', $was$from entries where type = 'comment' and counted is distinct from null and id > here.noted_up_to order by xid, id$was$,
        $now$from entries where type = 'comment' and counted is distinct from null order by xid, id$now$),
      ('rank_thoughts', $was$-- Whoever else does this waits, and then sees no older counters than those that are written here.$was$,
        $now$-- Another call waits here, and then reads counters that are no older than those that this call writes.$now$),
      ('start_conversation', $was$-- Whatever deletes an account locks it first.$was$,
        $now$-- An account's deletion locks the account first.$now$),
      ('start_conversation', $was$-- Where another makes it this instant, this waits; the next statement sees it.$was$,
        $now$-- Waits for a transaction that makes the same conversation; the next statement then sees it.$now$),
      ('start_conversation', $was$  if (select count(*) from (select from users where id = any(everyone) order by id for key share) u) < cardinality(everyone)
$was$,
        $now$  if (select count(*) from (select from users where id = any(everyone) order by id for key share) u)
      < cardinality(everyone)
$now$),
      ('leave_conversation', $was$-- No message gets its number meanwhile.$was$,
        $now$-- While the row is locked, no message gets a number.$now$),
      ('note_block_changes', $was$-- The routing columns: who blocked, and whom.$was$,
        $now$-- The owner is the blocker, the subject the blocked person.$now$),
      ('remove_deleted_account', $was$-- What was shared stays counted, and what was said stays said.$was$,
        $now$-- Shares stay counted, and messages stay in their conversations.$now$),
      ('remove_deleted_account', $was$-- What was to become this account's has no other owner.$was$,
        $now$-- An anonymous account that was being merged into this one has no other owner.$now$),
      ('merge_account', $was$-- How many these are.$was$,
        $now$-- The length of these four arrays.$now$),
      ('merge_account', $was$  -- Nothing is written for it any more. Into one account others move theirs one after another.$was$,
        $now$  -- The locks keep out writes in the anonymous account's name, and let merges into one account take turns.$now$),
      ('merge_account', $was$  -- Before anything is locked that counts: what the other account marks this instant is waited for, and then seen.$was$,
        $now$  -- Before thoughts and events are locked: where the other account inserts the same row at this moment, an update waits
  -- for it and fails, and the next round leaves it out.$now$),
      ('merge_account', $was$-- Whom it blocked stays blocked, and who blocked it is not met again under another name.$was$,
        $now$-- Blocks stay, in both directions.$now$),
      ('store_image', $was$-- One upload of an account after another: two must not both have the room that is there for one.$was$,
        $now$-- Uploads of an account take turns: two must not both use the last free bytes.$now$),
      ('store_image', $was$-- The sweep may take the contents away between the two.$was$,
        $now$-- sweep_image_contents may delete the contents between the two statements.$now$),
      ('sweep_images', $was$-- With the rows locked nothing can begin to refer to them.$was$,
        $now$-- While the rows are locked, no foreign key can begin to refer to them.$now$),
      ('sweep_images', $was$-- A statement of its own sees what was committed before the locks were got.$was$,
        $now$-- A second statement sees what was committed before the rows were locked.$now$),
      ('counter_drift', $was$-- Unread messages are counted when they are asked for, beyond what these say; a deleted message may leave them ahead.$was$,
        $now$-- A deleted message may leave these numbers ahead: unread messages are counted beyond them, on demand.$now$),
      ('tell_noted_news', $was$  -- "news" as a number.
  if not pg_try_advisory_xact_lock(1852143475) then
    return 0;
  end if;
$was$,
        $now$$now$),
      ('tell_noted_news', $was$-- By the minute: what many react to moves up without an entry in each index for each of them.$was$,
        $now$-- At most once a minute: otherwise each reaction to a popular subject would add an entry to each index.$now$),
      ('tell_noted_news', $was$-- A reaction more to the same makes no device ring again.$was$,
        $now$-- Another reaction to the same subject makes no device ring again.$now$),
      ('tell_noted_news', $was$-- What was read while it was told is told anew.$was$,
        $now$-- A notification that was read meanwhile is followed by a new one.$now$),
      ('tell_noted_news', $was$          select a from unnest(n.actors) with ordinality as x (a, place) where a <> all (g.actors) order by place))[1:20],$was$,
        $now$          select a from unnest(n.actors) with ordinality as x (a, place) where a <> all (g.actors)
          order by place))[1:20],$now$),
      ('refuse_suspended_viewer', $was$-- Almost always false: a call less for each write.$was$,
        $now$-- Almost always false, so that a write is spared the call.$now$),
      ('rank_published_thought', $was$-- What is published again before its ranks went has them still.$was$,
        $now$-- A thought that is published again before its ranks were deleted has them still.$now$),
      ('search_slips', $was$-- Not in the order of the primary key, which would be read from its beginning.$was$,
        $now$-- `offset 0`, or the primary key would be read in order, from its beginning.$now$),
      ('learn_search_words', $was$-- An entry that comes late, from a transaction that took long, is of the next walk.$was$,
        $now$-- The next walk finds an entry that a long transaction commits late.$now$),
      ('log_user_changes', $was$row(n.id, null, null, null, null, null)::change_state, row(n.id$was$,
        $now$row(n.id, null, null, null, null, null)::change_state,
      row(n.id$now$),
      ('username_is_taken', $was$  select exists (select from users where username_skeleton(username) = username_skeleton(name) and id is distinct from own_id)$was$,
        $now$  select exists (
    select from users where username_skeleton(username) = username_skeleton(name) and id is distinct from own_id)$now$),
      ('count_comment', $was$new.thought_id, null)::change_state, state from subject$was$,
        $now$new.thought_id, null)::change_state, state
    from subject$now$),
      ('count_comment', $was$new.event_id, null)::change_state, state from subject$was$,
        $now$new.event_id, null)::change_state, state
    from subject$now$),
      ('log_notification_update', $was$row(new.user_id, case when new.read_at is null then 'UNREAD' else 'READ' end, null$was$,
        $now$row(new.user_id, case when new.read_at is null then 'UNREAD' else 'READ' end,
      null$now$),
      ('recount', $was$as state) s where t.id$was$,
        $now$as state) s
        where t.id$now$),
      ('recount', $was$as state) s where e.id$was$,
        $now$as state) s
        where e.id$now$),
      ('begin_ranking', $was$        case when type = 'thought' then object_id when (counted).status is not null then (after).subject end as thought$was$,
        $now$        case when type = 'thought' then object_id when (counted).status is not null then (after).subject end
          as thought$now$),
      ('count_event_rsvps', $was$      select event_id, sum((n.status = 'INTERESTED')$was$,
        $now$      select event_id,
        sum((n.status = 'INTERESTED')$now$),
      ('tell_of_moderation', $was$id <> all (array(select user_id from deleted_accounts))$was$,
        $now$not exists (select from deleted_accounts where user_id = recipient)$now$),
      ('require_moderator_of', $was$    and id <> all (array(select user_id from deleted_accounts)));$was$,
        $now$    and not exists (select from deleted_accounts where user_id = person));$now$),
      ('people_key', $was$  select encode(substring(sha256(convert_to(string_agg(distinct id::text, ',' order by id::text), 'UTF8')) for 16), 'hex')::uuid$was$,
        $now$  select encode(
    substring(sha256(convert_to(string_agg(distinct id::text, ',' order by id::text), 'UTF8')) for 16), 'hex')::uuid$now$),
      ('search_terms', $was$ n = 1, is_unspaced and length$was$,
        $now$ n = 1,
    is_unspaced and length$now$),
      ('search_terms', $was$    length(lexeme) < 3 and not is_unspaced or lexeme$was$,
        $now$    length(lexeme) < 3 and not is_unspaced
      or lexeme$now$),
      ('search_terms', $was$  lateral (select octet_length(lexeme) > length(lexeme) and lexeme ~ ('^[' || unspaced_characters() || ']')) as script (is_unspaced)$was$,
        $now$  lateral (
    select octet_length(lexeme) > length(lexeme) and lexeme ~ ('^[' || unspaced_characters() || ']')
  ) as script (is_unspaced)$now$)
    ) as f (name, was, becomes) join pg_proc p on p.oid = f.name::regproc
  loop
    execute format('set local role %I', part.owner);
    if strpos(pg_get_functiondef(part.name::regproc), part.was) = 0 then
      raise exception '% is not what it was', part.name;
    end if;
    execute replace(pg_get_functiondef(part.name::regproc), part.was, part.becomes);
  end loop;
end
$adoption$;
reset role;

-- Names.
set local role tertulia_owner;
alter table news rename to outbox;
alter index news_pkey rename to outbox_pkey;
alter sequence news_id_seq rename to outbox_id_seq;
alter table outbox rename column told_up_to to notified_up_to;
alter table news_position rename to outbox_position;
alter type news_group rename to notification_group;
alter policy tell on outbox rename to work;
alter policy tell on outbox_position rename to work;
alter policy told on notifications rename to triggers;
alter policy told on push_devices rename to triggers;
alter policy told on push_queue rename to triggers;
alter trigger note_insert on blocks rename to log_insert;
alter trigger note_update on blocks rename to log_update;
alter trigger note_delete on blocks rename to log_delete;
alter trigger note_insert on thought_likes rename to enqueue;
alter trigger note_insert on thought_ratings rename to enqueue;
alter trigger note_insert on event_rsvps rename to enqueue;
alter trigger note_insert on messages rename to enqueue;
alter trigger note_change on events rename to enqueue_change;
alter trigger note_cancellation on events rename to enqueue_cancellation;
reset role;
do $adoption$
declare
  renamed record;
  pair record;
  body text;
begin
  create temporary table renamed_words (was, becomes, is_name) on commit drop as values
    ('news_groups', 'notification_groups', true), ('news_group', 'notification_group', true),
    ('news_position', 'outbox_position', true), ('tell_noted_news', 'write_notifications_of_outbox', true),
    ('tell_news', 'write_notifications', true), ('note_comments', 'enqueue_comments', true),
    ('note_message', 'enqueue_message', true), ('note_rsvp', 'enqueue_rsvp', true),
    ('note_thought_mark', 'enqueue_thought_mark', true), ('note_event_change', 'enqueue_event_change', true),
    ('note_push_receipts', 'record_push_receipts', true), ('note_block_changes', 'log_block_changes', true),
    ('note_block_moves', 'log_block_moves', true), ('tell_of_moderation', 'notify_of_moderation', true),
    ('told_up_to', 'notified_up_to', true), ('people_untold', 'people_hidden_from', true),
    ('news', 'outbox', false), ('heard', 'notified', false),
    ('told', 'written', false), ('noted', 'enqueued', false);
  for renamed in
    select p.oid::regprocedure as function, w.becomes, p.proowner::regrole::text as owner
    from pg_proc p join renamed_words w on w.was = p.proname
    where p.pronamespace = 'public'::regnamespace and p.proname <> 'tell_of_moderation'
  loop
    execute format('set local role %I', renamed.owner);
    execute format('alter function %s rename to %I', renamed.function, renamed.becomes);
    reset role;
  end loop;
  for renamed in
    select p.oid, p.proowner::regrole::text as owner, p.proname = any(array['read_message_notification',
      'enqueue_thought_mark', 'enqueue_rsvp', 'enqueue_message', 'enqueue_event_change', 'notification_groups',
      'enqueue_comments', 'write_notifications_of_outbox', 'write_notifications']) as is_of_outbox
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname not in ('tell_of_moderation', 'notification_without')
      and p.prosrc ~ '\m(news|tell|note|told|noted|heard|people_untold)'
  loop
    body := replace(pg_get_functiondef(renamed.oid), '"news" as a number.',
      'The number of the lock, which the restore of a log takes too.');
    for pair in select * from renamed_words where is_name or renamed.is_of_outbox loop
      body := regexp_replace(body, '\m' || pair.was || '\M', pair.becomes, 'g');
    end loop;
    execute format('set local role %I', renamed.owner);
    execute body;
    reset role;
  end loop;
end
$adoption$;

set local role tertulia_owner;
drop function tell_of_moderation(uuid, text, text, uuid, text, text);
drop function notification_without(text, uuid[], integer, text, uuid[]);
create function notify_of_moderation(
  recipient uuid, decision text, about_type text, about uuid, why text, sentence text
) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  written uuid;
  is_new boolean;
begin
  insert into notifications as n (id, user_id, kind, subject_type, subject_id, actors, actor_count, text, reason)
  select uuid_v7(), id, decision, about_type, about, '{}', 0, sentence, why from users
  where id = recipient and not exists (select from deleted_accounts where user_id = recipient)
  on conflict (user_id, kind, subject_id) where read_at is null
    do update set text = excluded.text, reason = excluded.reason, created_at = excluded.created_at
  -- A row that was just inserted has no xmax.
  returning n.id, n.xmax = 0 into written, is_new;
  if written is null then
    return;
  end if;
  insert into change_log (type, object_id, before, after)
  values ('notification', written,
    case when not is_new then row(recipient, 'UNREAD', null, null, null, null)::change_state end,
    row(recipient, 'UNREAD', null, null, null, null)::change_state);
  perform queue_pushes(array[written]);
end
$$;

create function notification_without(
  kind text, actors uuid[], actor_count integer, original text, hidden uuid[],
  out actor_id uuid, out others integer, out sentence text
)
  language plpgsql stable parallel safe
  set search_path = public, pg_temp
as $$
declare
  there uuid[] := array(
    select u.id from unnest(actors) with ordinality as a (id, place) join users u using (id)
    where a.id <> all (hidden) order by a.place);
begin
  actor_id := there[1];
  others := greatest(actor_count - cardinality(actors) + cardinality(there), 1);
  sentence := notification_text(
    kind, coalesce((select display_name from users where id = actor_id), 'Somebody'), others - 1,
    coalesce(
      substring(original from ' (?:liked|commented on|rated|responded to|changed|cancelled) “(.*)”\.$'), ''));
end
$$;
grant execute on function notify_of_moderation(uuid, text, text, uuid, text, text) to tertulia_trigger;
grant execute on function notification_without(text, uuid[], integer, text, uuid[]) to tertulia_server, tertulia_worker;
reset role;

drop function comments_behind(uuid, bigint);
set local role tertulia_owner;
create function comments_on_subject(subject uuid, author uuid, most bigint) returns table (id uuid, author_id uuid)
  language plpgsql stable security definer rows 100
  set search_path = public, pg_temp
as $$
begin
  return query select c.id, c.author_id from comments c
    where (c.thought_id = subject or c.event_id = subject) and (author is null or c.author_id = author) limit most;
end
$$;
grant execute on function comments_on_subject(uuid, uuid, bigint) to tertulia_worker;
reset role;
alter function comments_on_subject(uuid, uuid, bigint) owner to tertulia_trigger;

set local role tertulia_owner;
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
