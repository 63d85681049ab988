set local role tertulia_trigger;
grant execute on function release_image_contents() to tertulia_owner;
reset role;
alter function sweep_image_contents(integer) owner to tertulia_owner;
set local role tertulia_owner;

-- As they are counted: what an account did is found by the account and by what it was done to.
lock table comments in access exclusive mode;
drop index comments_of_author;
create index comments_of_author on comments (author_id, thought_id, event_id);

create policy gone on deleted_accounts for select to tertulia_trigger using (true);
grant select (user_id) on deleted_accounts to tertulia_trigger;

-- What accounts that are being removed did to a thought, which its stored counters still count: likes, comments, saves,
-- ratings and stars, with a space between them.
create function gone_acts_on_thought(thought uuid) returns text
  language plpgsql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
declare
  gone uuid[] := array(select user_id from deleted_accounts);
begin
  return concat_ws(' ',
    (select count(*) from thought_likes where thought_id = thought and user_id = any(gone)),
    (select count(*) from comments where thought_id = thought and author_id = any(gone)),
    (select count(*) from thought_saves where thought_id = thought and user_id = any(gone)),
    (select concat_ws(' ', count(*), coalesce(sum(stars), 0)) from thought_ratings
      where thought_id = thought and user_id = any(gone)));
end
$$;

-- The same of an event: those who are interested, who go, and comments.
create function gone_acts_on_event(event uuid) returns text
  language plpgsql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
declare
  gone uuid[] := array(select user_id from deleted_accounts);
begin
  return concat_ws(' ',
    (select concat_ws(' ', count(*) filter (where status = 'INTERESTED'), count(*) filter (where status = 'GOING'))
      from event_rsvps where event_id = event and user_id = any(gone)),
    (select count(*) from comments where event_id = event and author_id = any(gone)));
end
$$;
grant execute on function gone_acts_on_thought(uuid), gone_acts_on_event(uuid) to tertulia_server;

-- A thought stands in the orders by counters from its publication on; rank_thoughts moves it.
create policy publication on thought_ranks for select to tertulia_trigger using (true);
create policy publish on thought_ranks for insert to tertulia_trigger with check (true);
grant select, insert on thought_ranks to tertulia_trigger;

create function rank_published_thought() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into thought_ranks (thought_id, kind, rank) values
    (new.id, 'MOST_LIKED', new.like_count), (new.id, 'MOST_DISCUSSED', new.comment_count),
    (new.id, 'BEST_RATED', 1000 * (new.rating_total + 15) / (new.rating_count + 5))
  -- What is published again before its ranks went has them still.
  on conflict do nothing;
  return null;
end
$$;
create trigger rank_insert after insert on thoughts for each row
  when (new.status = 'PUBLISHED') execute function rank_published_thought();
create trigger rank_publication after update of status on thoughts for each row
  when (new.status = 'PUBLISHED' and old.status <> 'PUBLISHED') execute function rank_published_thought();

-- An account's own images, newest first, and the bytes of them all.
create index images_newest_of_owner on images (owner_id, created_at desc, id desc) include (byte_size);
drop index images_of_owner;
create policy delete_own on images for delete to tertulia_server using (owner_id = (select viewer_id()));
grant delete on images to tertulia_server;
-- For an image that so much shows that it goes in batches.
grant update (image_id) on thoughts, events, messages to tertulia_worker;

-- Images that the subject of an open report showed when they were deleted. Their contents stay until it is resolved.
create table report_images (
  -- Another than it had: its addresses end with it.
  id uuid primary key default uuid_v7(),
  report_id uuid not null references reports on delete cascade,
  image_id uuid not null,
  sha256 bytea not null references image_contents,
  mime_type text not null,
  width integer not null,
  height integer not null,
  byte_size integer not null,
  unique (report_id, image_id)
);
create index on report_images (sha256);
alter table report_images enable row level security;
alter table report_images force row level security;
create policy moderation on report_images for select to tertulia_server using ((select viewer_is_moderator()));
create policy serving on report_images for select to tertulia_worker using (true);
create policy evidence on report_images to tertulia_trigger using (true);
grant select on report_images to tertulia_server, tertulia_worker;
grant select, insert, delete on report_images to tertulia_trigger;

-- What was uploaded after a report is none of what it is about.
create function keep_reported_image(image uuid) returns void
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into report_images (report_id, image_id, sha256, mime_type, width, height, byte_size)
  select r.id, i.id, i.sha256, i.mime_type, i.width, i.height, i.byte_size
  from images i
  cross join lateral (
    select id from thoughts where image_id = i.id
    union all select id from events where image_id = i.id
    union all select id from users where avatar_id = i.id
    union all select id from messages where image_id = i.id
  ) as subject
  join reports r on r.subject_id = subject.id and r.status = 'OPEN' and r.created_at >= i.created_at
  where i.id = image
  on conflict do nothing;
end
$$;

create function keep_reported_image_as_it_goes() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform keep_reported_image(old.id);
  return old;
end
$$;
create trigger keep_reported before delete on images for each row execute function keep_reported_image_as_it_goes();

create function release_report_images() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  delete from report_images where report_id = new.id;
  return null;
end
$$;
create trigger release_images after update of status on reports for each row
  when (old.status = 'OPEN' and new.status <> 'OPEN') execute function release_report_images();
create trigger release_contents after delete on report_images
  referencing old table as changed for each statement execute function release_image_contents();

-- As it was; what a report keeps stays.
create or replace function sweep_image_contents(batch integer) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  due bytea[];
begin
  due := array(select sha256 from released_image_contents order by 1 limit batch for update skip locked);
  perform from image_contents where sha256 = any(due) order by sha256 for update;
  delete from image_contents c
  where sha256 = any(due) and not exists (select from images i where i.sha256 = c.sha256)
    and not exists (select from report_images i where i.sha256 = c.sha256);
  delete from released_image_contents where sha256 = any(due);
  return cardinality(due);
end
$$;

-- Takes an image of the viewer's from up to so many of the things that show it. How many these were.
create function clear_image(image uuid, batch integer) returns integer
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  cleared integer := 0;
  moved integer;
begin
  perform from images where id = image and owner_id = viewer_id();
  if not found then
    return 0;
  end if;
  perform keep_reported_image(image);
  update thoughts set image_id = null where id = any(array(
    select id from thoughts where image_id = image order by id limit batch for no key update));
  get diagnostics moved = row_count;
  cleared := cleared + moved;
  update events set image_id = null where id = any(array(
    select id from events where image_id = image order by id limit batch - cleared for no key update));
  get diagnostics moved = row_count;
  cleared := cleared + moved;
  update messages set image_id = null where id = any(array(
    select id from messages where image_id = image order by id limit batch - cleared for no key update));
  get diagnostics moved = row_count;
  return cleared + moved;
end
$$;
grant execute on function keep_reported_image(uuid), clear_image(uuid, integer) to tertulia_worker;

-- As it was; whether it made the conversation, in the place of an id that nobody asked for. The claim of a
-- clientMutationId is told of it.
set local role tertulia_trigger;
drop function start_conversation(uuid, uuid[]);
set local role tertulia_owner;
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
  -- Whatever deletes an account locks it first.
  if (select count(*) from (select from users where id = any(everyone) order by id for key share) u) < cardinality(everyone)
    or everyone && people_hidden_from_viewer() then
    perform refuse('NOT_FOUND');
  end if;
  -- Where another makes it this instant, this waits; the next statement sees it.
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
grant execute on function start_conversation(uuid, uuid[]) to tertulia_server;
grant update (outcome) on idempotency to tertulia_server;

reset role;
alter function start_conversation(uuid, uuid[]) owner to tertulia_trigger;
alter function sweep_image_contents(integer) owner to tertulia_trigger;
alter function gone_acts_on_thought(uuid) owner to tertulia_trigger;
alter function gone_acts_on_event(uuid) owner to tertulia_trigger;
alter function rank_published_thought() owner to tertulia_trigger;
alter function keep_reported_image(uuid) owner to tertulia_trigger;
alter function keep_reported_image_as_it_goes() owner to tertulia_trigger;
alter function release_report_images() owner to tertulia_trigger;
