set local role tertulia_owner;

-- The characters of scripts that are written without spaces: Thai, Lao, Burmese, Khmer, Kana, Han, Hangul. For the
-- brackets of a regular expression.
create function unspaced_characters() returns text
  language sql immutable parallel safe
  return '\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff'
    '\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff';

-- Makes words where PostgreSQL's parser makes none. A script without spaces becomes pairs of neighbouring characters;
-- in a text that is indexed its last character is a word of its own, too, so that every single character begins a word.
-- An emoji becomes a word of its code; its colours and variants count as one.
create function search_letters(content text, is_query boolean) returns text
  language plpgsql immutable parallel safe
as $$
declare
  unspaced constant text := unspaced_characters();
  emoji constant text := '\u2300-\u23ff\u25a0-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff';
  plain text := normalize(regexp_replace(normalize(content, nfkd),
    '[\u0300-\u036f\u200b-\u200f\ufe0e\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]', '', 'g'), nfc);
begin
  if plain !~ ('[' || unspaced || emoji || ']') then
    return plain;
  end if;
  return (
    select string_agg(case
      when part ~ ('^[' || unspaced || ']') then (
        select ' ' || string_agg(substr(part, i, 2), ' ' order by i) || ' '
        from generate_series(1, greatest(1, length(part) - is_query::int)) i)
      when part ~ ('^[' || emoji || ']') then (
        select ' emoji' || string_agg(to_hex(ascii(scalar)), '' order by n) || ' '
        from regexp_split_to_table(part, '') with ordinality as scalars (scalar, n))
      else part end, '' order by place)
    from regexp_matches(plain,
      '[' || unspaced || ']+|[\U0001f1e6-\U0001f1ff]{2}|[' || emoji || ']|[^' || unspaced || emoji || ']+', 'g')
      with ordinality as parts (groups, place),
      lateral (select groups[1] as part) as named);
end
$$;

-- A text as it is searched: without accents, and without the characters that join words. PostgreSQL's parser would take
-- "and/or" for a file and "a@b" for an address, and their parts would not be found. "C++" and "C#" are words of their
-- own.
create function search_text(content text, is_query boolean) returns text
  language sql immutable parallel safe
  return (
    select translate(
      case when strpos(letters, '+') = 0 and strpos(letters, '#') = 0 then letters
        else regexp_replace(regexp_replace(letters, '(\w)\+\+', '\1plusplus ', 'g'),
          '(\w)#(?!\w)', '\1sharp ', 'g') end,
      '/.@-+<>&~:#', '           ')
    from (select case when octet_length(content) = length(content) then content
      else search_letters(content, is_query) end as letters) as spelled);

-- The words of a title and a text, of a name and a description, or of names and a bio; the first weighs most.
create function search_words(first text, rest text) returns tsvector
  language sql immutable parallel safe
  return setweight(to_tsvector('pg_catalog.simple', search_text(coalesce(first, ''), false)), 'A')
    || setweight(to_tsvector('pg_catalog.simple', search_text(coalesce(rest, ''), false)), 'B');

-- The words of a query, 16 at most. `is_last`: it may be typed still. `is_single`: one character of a script without
-- spaces. `is_short`: too many words begin with it.
create function search_terms(query text)
  returns table (lexeme text, quoted text, is_last boolean, is_single boolean, is_short boolean)
  language sql immutable parallel safe
as $$
  select lexeme, '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''', n = 1,
    is_unspaced and length(lexeme) = 1,
    length(lexeme) < 3 and not is_unspaced
      or lexeme = any ('{and,are,but,das,del,den,der,des,die,for,les,los,not,que,the,und,une,was,you}')
  from (
    select lexeme, row_number() over (order by positions[cardinality(positions)] desc) as n
    from unnest(to_tsvector('pg_catalog.simple', search_text(left(query, 200), true)))
  ) as words,
  lateral (
    select octet_length(lexeme) > length(lexeme) and lexeme ~ ('^[' || unspaced_characters() || ']')
  ) as script (is_unspaced)
  where n <= 16
$$;

-- Every word of a query, the last one as the beginning of a word; null where there is no word. Made of lexemes, and
-- never of the text: nothing in it is an operator. A character of a script without spaces is found within each of its
-- pairs.
create function search_query(query text) returns tsquery
  language sql immutable parallel safe
  return (
    select string_agg(quoted || case when is_last or is_single then ':*' else '' end, ' & ')::tsquery
    from search_terms(query));

-- Every word as the beginning of one, except those that are short.
create function search_beginnings(query text) returns tsquery
  language sql immutable parallel safe
  return (
    select string_agg(quoted || case when is_last or not is_short then ':*' else '' end, ' & ')::tsquery
    from search_terms(query));

-- A word, and the word without each of its letters: two words that are one slip apart share one of these.
create function search_variants(word text) returns text[]
  language sql immutable parallel safe
  return word || array(select overlay(word placing '' from i for 1) from generate_series(1, length(word)) i);

-- Whether two words are one slip apart: one letter more, one less or another, or two neighbours exchanged.
create function is_one_slip(a text, b text) returns boolean
  language plpgsql immutable parallel safe
as $$
declare
  same int := 0;
begin
  if abs(length(a) - length(b)) > 1 then
    return false;
  end if;
  while same < least(length(a), length(b)) and substr(a, same + 1, 1) = substr(b, same + 1, 1) loop
    same := same + 1;
  end loop;
  return case length(a) - length(b)
    when 0 then substr(a, same + 2) = substr(b, same + 2)
      or substr(a, same + 1, 2) = reverse(substr(b, same + 1, 2)) and substr(a, same + 3) = substr(b, same + 3)
    when 1 then substr(a, same + 2) = substr(b, same + 1)
    else substr(a, same + 1) = substr(b, same + 2) end;
end
$$;

-- What search finds: published thoughts, events, and people who have a username. A table beside theirs and no index on
-- them: a counter's update then has no expression to evaluate and no words to copy, and ranking reads words that were
-- parsed when they were written. The configuration 'simple' knows no language: people write in any.
create table search_entries (
  id uuid primary key,
  kind text not null,
  at timestamptz not null,
  words tsvector not null
);
-- With GIN's pending list (fastupdate), which each search reads through: a thought of 25 words then costs its writer 85
-- µs beyond the 70 of its row, half of it parsing; without the list 270. Moving 4,000 entries into the index takes 0.3
-- s, so that is not left to the writer who happens to fill the list: the worker does it every few seconds.
create index search_entries_of_thoughts on search_entries using gin (words)
  with (gin_pending_list_limit = 16384) where kind = 'THOUGHT';
create index search_entries_of_events on search_entries using gin (words)
  with (gin_pending_list_limit = 16384) where kind = 'EVENT';
create index search_entries_of_people on search_entries using gin (words)
  with (gin_pending_list_limit = 16384) where kind = 'USER';
-- For words that nearly every entry has: the newest entries of a kind are read in order.
create index search_entries_newest on search_entries (kind, at desc, id desc);
create index search_entries_by_time on search_entries (at);

-- The words of 5 to 24 letters in search_entries, to find them despite a slip. `round` is the last walk through
-- search_entries that met the word.
create table search_vocabulary (
  word text primary key,
  round bigint not null
);
create index search_vocabulary_of_variants on search_vocabulary using gin (search_variants(word))
  with (fastupdate = off);
create index search_vocabulary_of_round on search_vocabulary (round);

-- How far the walk has come, by id. One row.
create table search_walk (
  is_only boolean primary key default true check (is_only),
  round bigint not null,
  after uuid,
  ended_at timestamptz,
  newest_at timestamptz not null
);

alter table search_entries enable row level security, force row level security;
alter table search_vocabulary enable row level security, force row level security;
alter table search_walk enable row level security, force row level security;
-- A narrower policy would be evaluated before the search in the index, whose operator PostgreSQL does not know to be
-- leakproof. The policies of thoughts, events and users decide what of the found is shown.
create policy published on search_entries for select to tertulia_server using (true);
create policy entries on search_entries to tertulia_trigger using (true);

create policy published on search_vocabulary for select to tertulia_server using (true);
create policy words on search_vocabulary to tertulia_trigger using (true);

create policy walk on search_walk to tertulia_trigger using (true);

grant select on search_entries to tertulia_server;
grant select, insert, update, delete on search_entries to tertulia_trigger;
grant select on search_vocabulary to tertulia_server;
grant select, insert, update, delete on search_vocabulary to tertulia_trigger;
grant select, insert, update on search_walk to tertulia_trigger;

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

-- Moves the pending lists into the indexes; runs as the indexes' owner.
create function clean_search_lists() returns bigint
  language sql volatile security definer
  set search_path = public, pg_temp
as $$
  select gin_clean_pending_list('search_entries_of_thoughts') + gin_clean_pending_list('search_entries_of_events')
    + gin_clean_pending_list('search_entries_of_people')
$$;

-- Every word of a query, and beside each of five letters or more the words of the vocabulary that are one slip apart.
create function search_slips(query text) returns tsquery
  language sql stable parallel safe
  set search_path = public, pg_temp
as $$
  select string_agg('(' || quoted || case when is_last or not is_short then ':*' else '' end || coalesce((
      select string_agg(' | ''' || word || '''', '' order by word)
      from (
        -- `offset 0`, or the primary key would be read in order, from its beginning.
        select word from (
          select word from search_vocabulary v
          where length(lexeme) between 5 and 24 and search_variants(v.word) && search_variants(lexeme)
            and is_one_slip(v.word, lexeme)
          offset 0) as near
        order by word limit 16) as meant), '') || ')', ' & ')::tsquery
  from search_terms(query)
$$;

-- Learns the words of 500 entries: the next ones of a walk through all of them, or, between two walks, the newest. A
-- walk begins every day and ends with dropping words that no entry has any more. One server at a time. Returns whether
-- there is more to do at once.
create function learn_search_words() returns boolean
  language plpgsql volatile security definer
  set search_path = public, pg_temp
as $$
declare
  walk search_walk;
  reached record;
  dropped bigint;
begin
  select * into walk from search_walk for update skip locked;
  if not found then
    return false;
  end if;
  if walk.ended_at is null then
    with page as (
      select id, words from search_entries where walk.after is null or id > walk.after order by id limit 500
    ), learned as (
      insert into search_vocabulary
      select lexeme, walk.round
      from (select distinct lexeme from page, unnest(words) where lexeme ~ '^[^\d''\\]{5,24}$') as words
      order by lexeme
      on conflict (word) do update set round = excluded.round where search_vocabulary.round < excluded.round
    )
    select count(*) as entries, (array_agg(id order by id desc))[1] as last into reached from page;
    if reached.entries = 500 then
      update search_walk set after = reached.last;
      return true;
    end if;
    delete from search_vocabulary where word in (
      select word from search_vocabulary where round < walk.round limit 500);
    get diagnostics dropped = row_count;
    update search_walk set after = coalesce(reached.last, after), ended_at = case when dropped < 500 then now() end;
    return dropped = 500;
  end if;
  -- The next walk finds an entry that a long transaction commits late.
  with page as (
    select at, words from search_entries where at > walk.newest_at and at <= now() order by at limit 500
  ), learned as (
    insert into search_vocabulary
    select lexeme, walk.round
    from (select distinct lexeme from page, unnest(words) where lexeme ~ '^[^\d''\\]{5,24}$') as words
    order by lexeme
    on conflict (word) do nothing
  )
  select count(*) as entries, max(at) as last into reached from page;
  update search_walk set newest_at = reached.last where reached.last is not null;
  if walk.ended_at < now() - interval '1 day' then
    update search_walk set round = round + 1, after = null, ended_at = null;
  end if;
  return reached.entries = 500;
end
$$;

grant execute on function search_terms(text), search_query(text), search_beginnings(text), is_one_slip(text, text),
  search_slips(text) to tertulia_server;
grant execute on function unspaced_characters(), search_letters(text, boolean), search_text(text, boolean),
  search_variants(text) to tertulia_server, tertulia_trigger;
grant execute on function clean_search_lists(), learn_search_words() to tertulia_worker;
grant execute on function search_words(text, text) to tertulia_trigger;

reset role;
alter function enter_thought() owner to tertulia_trigger;
alter function enter_event() owner to tertulia_trigger;
alter function enter_user() owner to tertulia_trigger;
alter function delete_search_entries() owner to tertulia_trigger;
alter function learn_search_words() owner to tertulia_trigger;

set local role tertulia_trigger;
insert into search_walk (round, newest_at) values (1, now());
reset role;
