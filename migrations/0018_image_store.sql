set local role tertulia_owner;

-- When to look whether anything uses the image: a day after it was stored, and a day after something let go of it. Null
-- while something is known to use it.
alter table images add column check_at timestamptz default now() + interval '1 day';
create index images_to_check on images (check_at) where check_at is not null;
drop index images_owner_id_idx;
create index images_of_owner on images (owner_id) include (byte_size);

-- Contents that an image let go of, until somebody has looked whether another has them.
create table released_image_contents (sha256 bytea primary key);
alter table released_image_contents enable row level security;
alter table released_image_contents force row level security;

create policy store on images to tertulia_trigger using (true);
create policy store on image_contents to tertulia_trigger using (true);
create policy store on released_image_contents to tertulia_trigger using (true);
create policy uses on messages for select to tertulia_trigger using (true);
create policy serving on images for select to tertulia_worker using (true);
create policy serving on image_contents for select to tertulia_worker using (true);
grant select, insert, update (check_at), delete on images to tertulia_trigger;
grant select, insert, update (created_at), delete on image_contents to tertulia_trigger;
grant select, insert, update, delete on released_image_contents to tertulia_trigger;
grant select (image_id) on messages to tertulia_trigger;
grant select on images, image_contents to tertulia_worker;

-- Whether something of its owner's shows it that everyone may see.
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
grant execute on function image_is_public(uuid, uuid) to tertulia_server, tertulia_worker;

-- One's own, and what something of its owner's shows that the viewer sees. A scalar sub-select is an index look-up a row; `exists` could
-- be planned as a hash of the whole table.
drop policy everyone on images;
create policy visible on images for select to tertulia_server using (
  owner_id = (select viewer_id()) or image_is_public(id, owner_id)
  or (select true from messages m where m.image_id = images.id and m.author_id = images.owner_id limit 1));

create function viewer_image_bytes() returns bigint
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
begin
  return (select coalesce(sum(byte_size), 0) from images where owner_id = viewer_id());
end
$$;

-- Stores an image of the viewer's, or refuses it where all of theirs would be larger than the quota, in bytes. `argument`
-- is what a refusal names.
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
  -- One upload of an account after another: two must not both have the room that is there for one.
  perform from users where id = viewer_id() for no key update;
  if viewer_image_bytes() + octet_length(content) > quota then
    perform refuse('USER_ERRORS', 'QUOTA_EXCEEDED ' || argument);
  end if;
  -- The sweep may take the contents away between the two.
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
grant execute on function viewer_image_bytes(), store_image(uuid, bytea, text, integer, integer, bigint, text)
  to tertulia_server;

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
create trigger release_image_update after update of image_id on thoughts for each row
  when (old.image_id is distinct from new.image_id) execute function release_image();
create trigger release_image_delete after delete on thoughts for each row
  when (old.image_id is not null) execute function release_image();
create trigger release_image_update after update of image_id on events for each row
  when (old.image_id is distinct from new.image_id) execute function release_image();
create trigger release_image_delete after delete on events for each row
  when (old.image_id is not null) execute function release_image();
create trigger release_image_update after update of avatar_id on users for each row
  when (old.avatar_id is distinct from new.avatar_id) execute function release_image();
-- A message keeps its image for life.
create trigger release_image_delete after delete on messages for each row
  when (old.image_id is not null) execute function release_image();

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

-- Looks at images whose time has come, and deletes those that nothing uses. How many it looked at.
create function sweep_images(batch integer) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  due uuid[];
begin
  -- With the rows locked nothing can begin to refer to them.
  due := array(select id from images where check_at <= now() order by check_at limit batch for update skip locked);
  -- A statement of its own sees what was committed before the locks were got.
  update images i set check_at = null where id = any(due) and (
    exists (select from thoughts where image_id = i.id) or exists (select from events where image_id = i.id)
    or exists (select from users where avatar_id = i.id) or exists (select from messages where image_id = i.id));
  delete from images where id = any(due) and check_at is not null;
  return cardinality(due);
end
$$;

-- Deletes released contents that no image has. How many it looked at.
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
  where sha256 = any(due) and not exists (select from images i where i.sha256 = c.sha256);
  delete from released_image_contents where sha256 = any(due);
  return cardinality(due);
end
$$;
grant execute on function sweep_images(integer), sweep_image_contents(integer) to tertulia_worker;

reset role;
alter function image_is_public(uuid, uuid) owner to tertulia_trigger;
alter function viewer_image_bytes() owner to tertulia_trigger;
alter function store_image(uuid, bytea, text, integer, integer, bigint, text) owner to tertulia_trigger;
alter function release_image() owner to tertulia_trigger;
alter function release_image_contents() owner to tertulia_trigger;
alter function sweep_images(integer) owner to tertulia_trigger;
alter function sweep_image_contents(integer) owner to tertulia_trigger;
