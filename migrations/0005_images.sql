set local role tertulia_owner;

create table image_contents (
  sha256 bytea primary key,
  bytes bytea not null,
  created_at timestamptz not null default now()
);
-- Images are compressed already.
alter table image_contents alter column bytes set storage external;

create table images (
  id uuid primary key,
  owner_id uuid not null references users on delete cascade,
  sha256 bytea not null references image_contents,
  mime_type text not null check (mime_type in ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
  width integer not null,
  height integer not null,
  byte_size integer not null,
  created_at timestamptz not null default now(),
  -- When to look whether anything uses the image: a day after it was stored, and a day after something ceased to use
  -- it. Null while something is known to use it.
  check_at timestamptz default now() + interval '1 day'
);
create index on images (sha256);
create index images_to_check on images (check_at) where check_at is not null;
-- An account's own images, newest first, and the bytes of them all.
create index images_newest_of_owner on images (owner_id, created_at desc, id desc) include (byte_size);

alter table users add constraint users_avatar_id_fkey foreign key (avatar_id) references images on delete set null;
create index users_of_avatar on users (avatar_id) where avatar_id is not null;

-- Contents of deleted images, until somebody has looked whether another image has the same.
create table released_image_contents (sha256 bytea primary key);

-- Whether something that its owner made, and everyone may see, shows the image.
create function image_is_public(image uuid, owner uuid) returns boolean
  language plpgsql stable security definer parallel safe
  set search_path = public, pg_temp
as $$
begin
  return exists (select from thoughts where image_id = image and author_id = owner and status = 'PUBLISHED')
    or exists (select from events where image_id = image and author_id = owner)
    or exists (select from users where avatar_id = image and id = owner);
end
$$;

alter table image_contents enable row level security, force row level security;
alter table images enable row level security, force row level security;
alter table released_image_contents enable row level security, force row level security;
-- The policy that lets tertulia_server see images reads messages: it stands with chat.
create policy own_insert on images for insert to tertulia_server with check (owner_id = (select viewer_id()));
create policy delete_own on images for delete to tertulia_server using (owner_id = (select viewer_id()));
create policy not_deleted on images as restrictive for select to tertulia_server
  using (not exists (select from deleted_accounts) or not is_being_deleted(owner_id));
create policy accounts on images to tertulia_worker using (true);
create policy store on images to tertulia_trigger using (true);

create policy serving on image_contents for select to tertulia_worker using (true);
create policy store on image_contents to tertulia_trigger using (true);

create policy store on released_image_contents to tertulia_trigger using (true);

grant select, delete on images to tertulia_server, tertulia_worker;
grant update (owner_id) on images to tertulia_worker;
grant select, insert, delete on images to tertulia_trigger;
grant update (check_at) on images to tertulia_trigger;
grant select on image_contents to tertulia_worker;
grant select, insert, delete on image_contents to tertulia_trigger;
grant update (created_at) on image_contents to tertulia_trigger;
grant select, insert, update, delete on released_image_contents to tertulia_trigger;

create trigger refuse_suspended before insert or update or delete on images
  for each statement when (pg_trigger_depth() = 0) execute function refuse_suspended_viewer();

create function viewer_image_bytes() returns bigint
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
begin
  return (select coalesce(sum(byte_size), 0) from images where owner_id = viewer_id());
end
$$;

-- Stores an image of the viewer's. Refuses it where the viewer's images would together exceed the quota, in bytes;
-- `argument` is what the refusal names.
create function store_image(
  new_id uuid, content bytea, type text, new_width integer, new_height integer, quota bigint, argument text
) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  hash bytea := sha256(content);
begin
  if not viewer_is_member() then
    perform refuse('FORBIDDEN', 'SIGN_UP_REQUIRED');
  end if;
  -- Uploads of an account take turns: two must not both use the last free bytes.
  perform from users where id = viewer_id() for no key update;
  if viewer_image_bytes() + octet_length(content) > quota then
    perform refuse('USER_ERRORS', 'QUOTA_EXCEEDED ' || argument);
  end if;
  -- sweep_image_contents may delete the contents between the two statements.
  loop
    insert into image_contents (sha256, bytes) values (hash, content) on conflict do nothing;
    perform from image_contents where sha256 = hash for key share;
    exit when found;
  end loop;
  insert into images (id, owner_id, sha256, mime_type, width, height, byte_size)
  values (new_id, viewer_id(), hash, type, new_width, new_height, octet_length(content));
  return true;
end
$$;

-- Called where a row ceases to show an image: by an update, or by its deletion.
create function release_image() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  released uuid;
begin
  if tg_table_name = 'users' then
    released := old.avatar_id;
  else
    released := old.image_id;
  end if;
  update images set check_at = now() + interval '1 day' where id = released;
  return null;
end
$$;
create trigger release_image_update after update of avatar_id on users for each row
  when (old.avatar_id is distinct from new.avatar_id) execute function release_image();

create function release_image_contents() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into released_image_contents (sha256) select distinct sha256 from changed order by 1 on conflict do nothing;
  return null;
end
$$;
create trigger release_contents after delete on images
  referencing old table as changed for each statement execute function release_image_contents();

-- Looks at images whose time has come, and deletes those that nothing uses. Returns how many it looked at.
create function sweep_images(batch integer) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  due uuid[];
begin
  -- While the rows are locked, no foreign key can begin to refer to them.
  due := array(select id from images where check_at <= now() order by check_at limit batch for update skip locked);
  -- A second statement sees what was committed before the rows were locked.
  update images i set check_at = null where id = any(due) and (
    exists (select from thoughts where image_id = i.id) or exists (select from events where image_id = i.id)
    or exists (select from users where avatar_id = i.id) or exists (select from messages where image_id = i.id));
  delete from images where id = any(due) and check_at is not null;
  return cardinality(due);
end
$$;

-- Deletes released contents that neither an image nor a report has. Returns how many it looked at.
create function sweep_image_contents(batch integer) returns integer
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

-- Takes an image of the viewer's from up to `batch` of the things that show it. Returns how many these were.
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

grant execute on function viewer_image_bytes(), store_image(uuid, bytea, text, integer, integer, bigint, text)
  to tertulia_server;
grant execute on function image_is_public(uuid, uuid) to tertulia_server, tertulia_worker;
grant execute on function sweep_images(integer), sweep_image_contents(integer), clear_image(uuid, integer)
  to tertulia_worker;

reset role;
alter function image_is_public(uuid, uuid) owner to tertulia_trigger;
alter function viewer_image_bytes() owner to tertulia_trigger;
alter function store_image(uuid, bytea, text, integer, integer, bigint, text) owner to tertulia_trigger;
alter function release_image() owner to tertulia_trigger;
alter function release_image_contents() owner to tertulia_trigger;
alter function sweep_images(integer) owner to tertulia_trigger;
alter function sweep_image_contents(integer) owner to tertulia_trigger;

-- Later migrations make triggers that call these.
set local role tertulia_trigger;
grant execute on function release_image(), release_image_contents() to tertulia_owner;
reset role;
