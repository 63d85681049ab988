set local role tertulia_owner;

-- A text as it is searched: without accents, and without what joins words. The parser of PostgreSQL would take "and/or"
-- for a file and "a@b" for an address, and nobody would find their parts.
create function search_text(content text) returns text
  language sql immutable parallel safe
  return translate(
    case when octet_length(content) = length(content) then content
      else regexp_replace(normalize(content, nfkd), '[\u0300-\u036f]', '', 'g') end,
    '/.@-+<>&~:', '          ');

-- Of every word of a text the lexeme, all of them asked for, the last one as the beginning of a word; null where there is
-- no word. Made of lexemes, and never of the text: nothing in it is an operator.
create function search_query(query text) returns tsquery
  language sql immutable parallel safe
  return (
    select string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''' || case n when 1 then ':*' else '' end,
      ' & ')::tsquery
    from (
      select lexeme, row_number() over (order by positions[cardinality(positions)] desc) as n
      from unnest(to_tsvector('pg_catalog.simple', search_text(left(query, 200))))
    ) as words
    where n <= 16);

-- What can be found: published thoughts, events and people who have a name. A table beside theirs, and no index on them:
-- a counter's update then has no expression to look at and no words to carry along, and ranking reads words that were
-- parsed when they were written. 'simple' knows no language: people write in any.
create table search_entries (
  id uuid primary key,
  kind text not null,
  at timestamptz not null,
  words tsvector not null
);
-- With a list of what is new (fastupdate), which each search reads through: a thought of 25 words then costs its writer
-- 85 µs beyond the 70 of its row, half of it the parsing; without it 270. Moving 4,000 of them into the index takes
-- 0.3 s, so that is not left to the writer who happens to fill the list: the worker does it every few seconds.
create index search_entries_of_thoughts on search_entries using gin (words)
  with (gin_pending_list_limit = 16384) where kind = 'THOUGHT';
create index search_entries_of_events on search_entries using gin (words)
  with (gin_pending_list_limit = 16384) where kind = 'EVENT';
create index search_entries_of_people on search_entries using gin (words)
  with (gin_pending_list_limit = 16384) where kind = 'USER';
-- For words that nearly everything has: the newest of all are looked through.
create index search_entries_newest on search_entries (kind, at desc, id desc);

alter table search_entries enable row level security;
alter table search_entries force row level security;
-- A condition of a policy would come before the search in the index, which PostgreSQL does not know to be leakproof. What
-- is found is shown by the policies of thoughts, events and users.
create policy published on search_entries for select to tertulia_server using (true);
create policy entries on search_entries to tertulia_trigger using (true);
grant select on search_entries to tertulia_server;
grant select, insert, update, delete on search_entries to tertulia_trigger;

-- What title and text, name and description, or names and bio say, what is said first weighing most.
create function search_words(first text, rest text) returns tsvector
  language sql immutable parallel safe
  return setweight(to_tsvector('pg_catalog.simple', search_text(coalesce(first, ''))), 'A')
    || setweight(to_tsvector('pg_catalog.simple', search_text(coalesce(rest, ''))), 'B');

create function enter_thought() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if new.status = 'PUBLISHED' then
    insert into search_entries
    values (new.id, 'THOUGHT', new.published_at, search_words(new.title, new.text))
    on conflict (id) do update set at = excluded.at, words = excluded.words;
  else
    delete from search_entries where id = new.id;
  end if;
  return null;
end
$$;
create trigger enter_insert after insert on thoughts
  for each row when (new.status = 'PUBLISHED') execute function enter_thought();
create trigger enter_update after update of title, text, status on thoughts
  for each row execute function enter_thought();

create function enter_event() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into search_entries
  values (new.id, 'EVENT', new.created_at,
    search_words(new.name, concat_ws(' ', new.location, new.description)))
  on conflict (id) do update set words = excluded.words;
  return null;
end
$$;
create trigger enter_insert after insert on events for each row execute function enter_event();
create trigger enter_update after update of name, description, location on events
  for each row execute function enter_event();

create function enter_user() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if new.username is not null then
    insert into search_entries
    values (new.id, 'USER', new.created_at,
      search_words(concat_ws(' ', new.username, new.display_name), new.bio))
    on conflict (id) do update set words = excluded.words;
  else
    delete from search_entries where id = new.id;
  end if;
  return null;
end
$$;
create trigger enter_insert after insert on users
  for each row when (new.username is not null) execute function enter_user();
create trigger enter_update after update of username, display_name, bio on users
  for each row execute function enter_user();

create function delete_search_entries() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  delete from search_entries where id in (select id from changed);
  return null;
end
$$;
create trigger delete_entries after delete on thoughts
  referencing old table as changed for each statement execute function delete_search_entries();
create trigger delete_entries after delete on events
  referencing old table as changed for each statement execute function delete_search_entries();
create trigger delete_entries after delete on users
  referencing old table as changed for each statement execute function delete_search_entries();

-- Moves what is new into the indexes; as their owner.
create function clean_search_lists() returns bigint
  language sql volatile security definer
  set search_path = public, pg_temp
as $$
  select gin_clean_pending_list('search_entries_of_thoughts') + gin_clean_pending_list('search_entries_of_events')
    + gin_clean_pending_list('search_entries_of_people')
$$;

grant execute on function clean_search_lists() to tertulia_worker;
grant execute on function search_text(text), search_words(text, text) to tertulia_trigger;
grant execute on function search_text(text), search_query(text) to tertulia_server;

-- Under the policies of the triggers' role: whoever migrates may be no superuser.
set local role tertulia_trigger;
insert into search_entries
select id, 'THOUGHT', published_at, search_words(title, text) from thoughts where status = 'PUBLISHED'
union all
select id, 'EVENT', created_at, search_words(name, concat_ws(' ', location, description)) from events
union all
select id, 'USER', created_at, search_words(concat_ws(' ', username, display_name), bio) from users
where username is not null;

reset role;
alter function enter_thought() owner to tertulia_trigger;
alter function enter_event() owner to tertulia_trigger;
alter function enter_user() owner to tertulia_trigger;
alter function delete_search_entries() owner to tertulia_trigger;
