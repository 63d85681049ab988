set local role tertulia_owner;

create table image_contents (
  sha256 bytea primary key,
  bytes bytea not null,
  created_at timestamptz not null default now()
);
alter table image_contents alter column bytes set storage external;

create table images (
  id uuid primary key,
  owner_id uuid not null references users on delete cascade,
  sha256 bytea not null references image_contents,
  mime_type text not null check (mime_type in ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
  width integer not null,
  height integer not null,
  byte_size integer not null,
  created_at timestamptz not null default now()
);
create index on images (owner_id);
create index on images (sha256);

alter table users add constraint users_avatar_id_fkey foreign key (avatar_id) references images on delete set null;
create index users_of_avatar on users (avatar_id) where avatar_id is not null;

alter table image_contents enable row level security;
alter table image_contents force row level security;
alter table images enable row level security;
alter table images force row level security;
-- An image's id is its secret until something visible shows it; who may see a draft's image is decided by its address.
create policy everyone on images for select to tertulia_server using (true);
create policy own_insert on images for insert to tertulia_server with check (owner_id = (select viewer_id()));
grant select on images to tertulia_server;

reset role;
