set local role tertulia_owner;

create table conversations (
  id uuid primary key,
  -- people_key of the participants: a set of people has one conversation.
  people_key uuid not null constraint conversations_people_key unique,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  -- The newest number that a message got: under this row's lock, so that numbers follow the order of commit.
  last_number bigint not null default 0
) with (fillfactor = 85);

create table conversation_members (
  conversation_id uuid not null references conversations on delete cascade,
  place smallint not null,
  -- Null once the account is deleted.
  user_id uuid references users on delete set null,
  -- The other participant of a conversation of two.
  pair_with uuid,
  joined_at timestamptz not null default date_trunc('milliseconds', now()),
  left_at timestamptz,
  -- The numbers of the messages sent while this person was away, which this person never sees.
  absences int8multirange not null default '{}',
  last_read_message_id uuid,
  last_read_number bigint not null default 0,
  -- The number of the newest message by another participant; beyond last_read_number there may be something unread.
  newest_from_others bigint not null default 0,
  -- The key of the person's list: when the newest message was sent, or the conversation made.
  last_message_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (conversation_id, place),
  unique (conversation_id, user_id)
) with (fillfactor = 85);
create index on conversation_members (user_id, last_message_at desc, conversation_id desc);
create index conversation_members_unread on conversation_members (user_id)
  where newest_from_others > last_read_number and left_at is null;

create table messages (
  id uuid primary key,
  conversation_id uuid not null references conversations on delete cascade,
  -- Null once the account is deleted.
  author_id uuid references users on delete set null,
  number bigint not null,
  text text not null,
  image_id uuid references images on delete set null,
  created_at timestamptz not null,
  edited_at timestamptz,
  -- With the author, so that unread messages are counted in the index alone.
  unique (conversation_id, number) include (author_id)
);
create index messages_of_author on messages (author_id) where author_id is not null;
create index messages_of_image on messages (image_id) where image_id is not null;

-- The first 128 bits of the SHA-256 of the ids, sorted.
create function people_key(people uuid[]) returns uuid
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
as $$
  select encode(
    substring(sha256(convert_to(string_agg(distinct id::text, ',' order by id::text), 'UTF8')) for 16), 'hex')::uuid
  from unnest(people) as id
$$;

-- A definer function, since a policy never queries its own table.
create function viewer_participates(conversation uuid) returns boolean
  language plpgsql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
begin
  return exists (
    select from conversation_members
    where conversation_id = conversation and user_id = viewer_id() and left_at is null);
end
$$;

alter table conversations enable row level security, force row level security;
alter table conversation_members enable row level security, force row level security;
alter table messages enable row level security, force row level security;
-- A scalar sub-select is an index look-up a row; `exists` could be planned as a hash of the whole table.
create policy participants on conversations for select to tertulia_server using (
  (select true from conversation_members p
    where p.conversation_id = conversations.id and p.user_id = (select viewer_id()) and p.left_at is null));
create policy chat on conversations to tertulia_trigger using (true);

create policy participants on conversation_members for select to tertulia_server
  using (user_id = (select viewer_id()) or viewer_participates(conversation_id));
create policy read_own on conversation_members for update to tertulia_server
  using (user_id = (select viewer_id()) and left_at is null)
  with check (user_id = (select viewer_id()) and left_at is null);
create policy accounts on conversation_members to tertulia_worker using (true);
create policy chat on conversation_members to tertulia_trigger using (true);

create policy participants on messages for select to tertulia_server using (
  (select true from conversation_members p where p.conversation_id = messages.conversation_id
    and p.user_id = (select viewer_id()) and p.left_at is null and not messages.number <@ p.absences));
create policy create_own on messages for insert to tertulia_server
  with check (
    author_id = (select viewer_id()) and (select viewer_is_member())
    and (select (p.pair_with = any((select people_hidden_from_viewer())::uuid[])) is not true
      from conversation_members p where p.conversation_id = messages.conversation_id
      and p.user_id = (select viewer_id()) and p.left_at is null));
create policy update_own on messages for update to tertulia_server
  using (author_id = (select viewer_id())) with check (author_id = (select viewer_id()));
create policy delete_own on messages for delete to tertulia_server using (author_id = (select viewer_id()));
create policy accounts on messages to tertulia_worker using (true);
create policy triggers on messages for select to tertulia_trigger using (true);
-- An image is seen by its owner, and by those who see something of its owner's that shows it.
create policy visible on images for select to tertulia_server using (
  owner_id = (select viewer_id()) or image_is_public(id, owner_id)
  or (select true from messages m where m.image_id = images.id and m.author_id = images.owner_id limit 1));

grant select on conversations to tertulia_server;
grant select, insert, update on conversations to tertulia_trigger;
grant select on conversation_members to tertulia_server, tertulia_worker;
grant update (last_read_message_id, last_read_number) on conversation_members to tertulia_server;
grant update (user_id) on conversation_members to tertulia_worker;
grant select, insert, update on conversation_members to tertulia_trigger;
grant select, delete on messages to tertulia_server;
grant insert (id, conversation_id, author_id, text, image_id) on messages to tertulia_server;
grant update (text, edited_at) on messages to tertulia_server;
grant select on messages to tertulia_worker, tertulia_trigger;
grant update (author_id, image_id) on messages to tertulia_worker;

create trigger refuse_suspended before insert or update or delete on conversations
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();
create trigger refuse_suspended before insert or update or delete on conversation_members
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();
create trigger refuse_suspended before insert or update or delete on messages
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();

-- Gives the message its number and its time. Locks the account first, as the account's deletion does.
create function number_message() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform from users where id = new.author_id for key share;
  update conversations set last_number = last_number + 1 where id = new.conversation_id
    returning last_number into new.number;
  new.created_at := date_trunc('milliseconds', clock_timestamp());
  return new;
end
$$;
create trigger number before insert on messages for each row execute function number_message();

-- A row of the log about a conversation without an author concerns all its participants; a row with an author concerns
-- that person alone.
create function log_message_changes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    update conversation_members p set last_message_at = greatest(p.last_message_at, n.at),
      newest_from_others = greatest(p.newest_from_others, (
        select max(number) from changed_to m
        where m.conversation_id = p.conversation_id and m.author_id is distinct from p.user_id))
    from (select conversation_id, max(created_at) as at from changed_to group by 1) n
    where p.conversation_id = n.conversation_id and p.left_at is null;
    insert into change_log (type, object_id, before, after)
    select 'message', id, null, row(author_id, null, null, null, conversation_id, null)::change_state from changed_to
    union all
    select 'conversation', conversation_id, row(null, null, null, null, conversation_id, null)::change_state,
      row(null, null, null, null, conversation_id, null)::change_state
    from (select distinct conversation_id from changed_to) c;
  elsif tg_op = 'UPDATE' then
    insert into change_log (type, object_id, before, after)
    select 'message', id, row(o.author_id, null, null, null, o.conversation_id, null)::change_state,
      row(n.author_id, null, null, null, n.conversation_id, null)::change_state
    from changed_to n join changed_from o using (id) order by id;
  else
    insert into change_log (type, object_id, before, after)
    select 'message', id, row(author_id, null, null, null, conversation_id, null)::change_state, null from changed_from
    union all
    select 'conversation', conversation_id, row(null, null, null, null, conversation_id, null)::change_state,
      row(null, null, null, null, conversation_id, null)::change_state
    from (select distinct conversation_id from changed_from) c;
  end if;
  return null;
end
$$;
create trigger log_insert after insert on messages
  referencing new table as changed_to for each statement execute function log_message_changes();
create trigger log_update after update on messages
  referencing old table as changed_from new table as changed_to
  for each statement execute function log_message_changes();
create trigger log_delete after delete on messages
  referencing old table as changed_from for each statement execute function log_message_changes();

-- A message keeps its image until it is deleted.
create trigger release_image_delete after delete on messages for each row
  when (old.image_id is not null) execute function release_image();

create function log_member_change() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into change_log (type, object_id, before, after)
  values ('conversation', new.conversation_id,
    case when tg_op = 'UPDATE' then row(old.user_id, case when old.left_at is null then 'JOINED' else 'LEFT' end,
      null, null, new.conversation_id, null)::change_state end,
    row(new.user_id, case when new.left_at is null then 'JOINED' else 'LEFT' end,
      null, null, new.conversation_id, null)::change_state);
  return null;
end
$$;
-- What a message changes has rows of the log of its own.
create trigger log_insert after insert on conversation_members for each row execute function log_member_change();
create trigger log_update after update on conversation_members for each row
  when ((new.user_id, new.left_at, new.last_read_number)
    is distinct from (old.user_id, old.left_at, old.last_read_number))
  execute function log_member_change();

-- Makes the conversation of the viewer and these people, or finds the one they have; a viewer who left it joins it
-- again. Returns whether it was made with the new id.
create function start_conversation(new_id uuid, people uuid[]) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  everyone uuid[] := array(select unnest(people) union select viewer_id() order by 1);
  found uuid;
begin
  if not viewer_is_member() then
    perform refuse('FORBIDDEN', 'SIGN_UP_REQUIRED');
  end if;
  -- An account's deletion locks the account first.
  if (select count(*) from (select from users where id = any(everyone) order by id for key share) u)
      < cardinality(everyone)
    or everyone && people_hidden_from_viewer() then
    perform refuse('NOT_FOUND');
  end if;
  -- Waits for a transaction that makes the same conversation; the next statement then sees it.
  insert into conversations (id, people_key) values (new_id, people_key(everyone)) on conflict do nothing
    returning id into found;
  if found is not null then
    insert into conversation_members (conversation_id, place, user_id, pair_with)
    select found, n, id, case cardinality(everyone) when 2 then everyone[3 - n] end
    from unnest(everyone) with ordinality as e (id, n);
    return true;
  end if;
  select id into found from conversations where people_key = people_key(everyone) for no key update;
  if found is null then
    perform refuse('USER_ERRORS', 'TAKEN id');
  end if;
  update conversation_members p set left_at = null, joined_at = date_trunc('milliseconds', now()),
    absences = p.absences - int8multirange(int8range(c.last_number + 1, null)), last_read_number = c.last_number
  from conversations c
  where c.id = found and p.conversation_id = found and p.user_id = viewer_id() and p.left_at is not null;
  return false;
end
$$;

-- Returns whether the viewer was ever in the conversation. Leaving twice is leaving once.
create function leave_conversation(conversation uuid) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  -- While the row is locked, no message gets a number.
  perform from conversations where id = conversation and exists (
    select from conversation_members where conversation_id = conversation and user_id = viewer_id()) for no key update;
  if not found then
    return false;
  end if;
  update conversation_members p set left_at = date_trunc('milliseconds', now()),
    absences = p.absences + int8multirange(int8range(c.last_number + 1, null))
  from conversations c
  where c.id = conversation and p.conversation_id = conversation and p.user_id = viewer_id() and p.left_at is null;
  return true;
end
$$;

grant execute on function viewer_participates(uuid), start_conversation(uuid, uuid[]), leave_conversation(uuid)
  to tertulia_server;
grant execute on function people_key(uuid[]) to tertulia_server, tertulia_trigger;

reset role;
alter function viewer_participates(uuid) owner to tertulia_trigger;
alter function number_message() owner to tertulia_trigger;
alter function log_message_changes() owner to tertulia_trigger;
alter function log_member_change() owner to tertulia_trigger;
alter function start_conversation(uuid, uuid[]) owner to tertulia_trigger;
alter function leave_conversation(uuid) owner to tertulia_trigger;
