-- Search reads letters that do not decompose (Łódź, Straße, Ørsted, Işık) as plain ones. It passes over the marks of
-- Arabic and Hebrew. search_text spells the words of entries and of queries alike, so that either may be plain.
set local role tertulia_owner;

-- The plain letters of a letter. Written by scripts/generate-search-letters from the rules of the extension unaccent of
-- PostgreSQL 15, whose licence follows. The last three lines are not from these rules. Two of them unite letters of the
-- Arabic script as Lucene's ArabicNormalizer and PersianNormalizer do: alef wasla, teh marbuta and alef maksura; the
-- Persian yeh and keheh, yeh barree, heh goal, and U+06D5, into which heh with yeh decomposes. The third line has the
-- final sigma and the digraphs of Yiddish.
--
-- Portions Copyright (c) 1996-2022, PostgreSQL Global Development Group
-- Portions Copyright (c) 1994, The Regents of the University of California
--
-- Permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee, and
-- without a written agreement is hereby granted, provided that the above copyright notice and this paragraph and the
-- following two paragraphs appear in all copies.
--
-- IN NO EVENT SHALL THE UNIVERSITY OF CALIFORNIA BE LIABLE TO ANY PARTY FOR DIRECT, INDIRECT, SPECIAL, INCIDENTAL, OR
-- CONSEQUENTIAL DAMAGES, INCLUDING LOST PROFITS, ARISING OUT OF THE USE OF THIS SOFTWARE AND ITS DOCUMENTATION, EVEN IF
-- THE UNIVERSITY OF CALIFORNIA HAS BEEN ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
--
-- THE UNIVERSITY OF CALIFORNIA SPECIFICALLY DISCLAIMS ANY WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
-- WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE. THE SOFTWARE PROVIDED HEREUNDER IS ON AN "AS IS"
-- BASIS, AND THE UNIVERSITY OF CALIFORNIA HAS NO OBLIGATIONS TO PROVIDE MAINTENANCE, SUPPORT, UPDATES, ENHANCEMENTS, OR
-- MODIFICATIONS.
create function plain_letters() returns jsonb
  language sql immutable parallel safe
  return '{
"Æ":"ae", "Ð":"d", "Ø":"o", "Þ":"th", "ß":"ss", "æ":"ae", "ð":"d", "ø":"o", "þ":"th", "Đ":"d", "đ":"d", "Ħ":"h",
"ħ":"h", "ı":"i", "ĸ":"q", "Ł":"l", "ł":"l", "Ŋ":"n", "ŋ":"n", "Œ":"oe", "œ":"oe", "Ŧ":"t", "ŧ":"t", "ƀ":"b", "Ɓ":"b",
"Ƃ":"b", "ƃ":"b", "Ƈ":"c", "ƈ":"c", "Ɖ":"d", "Ɗ":"d", "Ƌ":"d", "ƌ":"d", "Ɛ":"e", "Ƒ":"f", "ƒ":"f", "Ɠ":"g", "ƕ":"hv",
"Ɩ":"i", "Ɨ":"i", "Ƙ":"k", "ƙ":"k", "ƚ":"l", "Ɲ":"n", "ƞ":"n", "Ƣ":"oi", "ƣ":"oi", "Ƥ":"p", "ƥ":"p", "ƫ":"t", "Ƭ":"t",
"ƭ":"t", "Ʈ":"t", "Ʋ":"v", "Ƴ":"y", "ƴ":"y", "Ƶ":"z", "ƶ":"z", "Ǥ":"g", "ǥ":"g", "ȡ":"d", "Ȥ":"z", "ȥ":"z", "ȴ":"l",
"ȵ":"n", "ȶ":"t", "ȷ":"j", "ȸ":"db", "ȹ":"qp", "Ⱥ":"a", "Ȼ":"c", "ȼ":"c", "Ƚ":"l", "Ⱦ":"t", "ȿ":"s", "ɀ":"z", "Ƀ":"b",
"Ʉ":"u", "Ɇ":"e", "ɇ":"e", "Ɉ":"j", "ɉ":"j", "Ɍ":"r", "ɍ":"r", "Ɏ":"y", "ɏ":"y", "ɓ":"b", "ɕ":"c", "ɖ":"d", "ɗ":"d",
"ɛ":"e", "ɟ":"j", "ɠ":"g", "ɡ":"g", "ɢ":"g", "ɦ":"h", "ɧ":"h", "ɨ":"i", "ɪ":"i", "ɫ":"l", "ɬ":"l", "ɭ":"l", "ɱ":"m",
"ɲ":"n", "ɳ":"n", "ɴ":"n", "ɶ":"oe", "ɼ":"r", "ɽ":"r", "ɾ":"r", "ʀ":"r", "ʂ":"s", "ʈ":"t", "ʉ":"u", "ʋ":"v", "ʏ":"y",
"ʐ":"z", "ʑ":"z", "ʙ":"b", "ʛ":"g", "ʜ":"h", "ʝ":"j", "ʟ":"l", "ʠ":"q", "ʣ":"dz", "ʥ":"dz", "ʦ":"ts", "ʪ":"ls",
"ʫ":"lz", "ʹ":"''", "ʺ":"\"", "ʻ":"''", "ʼ":"''", "ʽ":"''", "ˆ":"^", "ˈ":"''", "ˋ":"`", "ː":":", "ᴀ":"a", "ᴁ":"ae",
"ᴃ":"b", "ᴄ":"c", "ᴅ":"d", "ᴆ":"d", "ᴇ":"e", "ᴊ":"j", "ᴋ":"k", "ᴌ":"l", "ᴍ":"m", "ᴏ":"o", "ᴘ":"p", "ᴛ":"t", "ᴜ":"u",
"ᴠ":"v", "ᴡ":"w", "ᴢ":"z", "ᵫ":"ue", "ᵬ":"b", "ᵭ":"d", "ᵮ":"f", "ᵯ":"m", "ᵰ":"n", "ᵱ":"p", "ᵲ":"r", "ᵳ":"r", "ᵴ":"s",
"ᵵ":"t", "ᵶ":"z", "ᵺ":"th", "ᵻ":"i", "ᵽ":"p", "ᵾ":"u", "ᶀ":"b", "ᶁ":"d", "ᶂ":"f", "ᶃ":"g", "ᶄ":"k", "ᶅ":"l", "ᶆ":"m",
"ᶇ":"n", "ᶈ":"p", "ᶉ":"r", "ᶊ":"s", "ᶌ":"v", "ᶍ":"x", "ᶎ":"z", "ᶏ":"a", "ᶑ":"d", "ᶒ":"e", "ᶓ":"e", "ᶖ":"i", "ᶙ":"u",
"ẜ":"s", "ẝ":"s", "ẞ":"ss", "Ỻ":"ll", "ỻ":"ll", "Ỽ":"v", "ỽ":"v", "Ỿ":"y", "ỿ":"y", "Ⱡ":"l", "ⱡ":"l", "Ɫ":"l",
"Ᵽ":"p", "Ɽ":"r", "ⱥ":"a", "ⱦ":"t", "Ⱨ":"h", "ⱨ":"h", "Ⱪ":"k", "ⱪ":"k", "Ⱬ":"z", "ⱬ":"z", "Ɱ":"m", "ⱱ":"v", "Ⱳ":"w",
"ⱳ":"w", "ⱴ":"v", "ⱸ":"e", "ⱺ":"o", "Ȿ":"s", "Ɀ":"z", "ꜰ":"f", "ꜱ":"s", "Ꜳ":"aa", "ꜳ":"aa", "Ꜵ":"ao", "ꜵ":"ao",
"Ꜷ":"au", "ꜷ":"au", "Ꜹ":"av", "ꜹ":"av", "Ꜻ":"av", "ꜻ":"av", "Ꜽ":"ay", "ꜽ":"ay", "Ꝁ":"k", "ꝁ":"k", "Ꝃ":"k", "ꝃ":"k",
"Ꝅ":"k", "ꝅ":"k", "Ꝇ":"l", "ꝇ":"l", "Ꝉ":"l", "ꝉ":"l", "Ꝋ":"o", "ꝋ":"o", "Ꝍ":"o", "ꝍ":"o", "Ꝏ":"oo", "ꝏ":"oo", "Ꝑ":"p",
"ꝑ":"p", "Ꝓ":"p", "ꝓ":"p", "Ꝕ":"p", "ꝕ":"p", "Ꝗ":"q", "ꝗ":"q", "Ꝙ":"q", "ꝙ":"q", "Ꝟ":"v", "ꝟ":"v", "Ꝡ":"vy", "ꝡ":"vy",
"Ꝥ":"th", "ꝥ":"th", "Ꝧ":"th", "ꝧ":"th", "ꝱ":"d", "ꝲ":"l", "ꝳ":"m", "ꝴ":"n", "ꝵ":"r", "ꝶ":"r", "ꝷ":"t", "Ꝺ":"d",
"ꝺ":"d", "Ꝼ":"f", "ꝼ":"f", "Ꞇ":"t", "ꞇ":"t", "Ꞑ":"n", "ꞑ":"n", "Ꞓ":"c", "ꞓ":"c", "Ꞡ":"g", "ꞡ":"g", "Ꞣ":"k", "ꞣ":"k",
"Ꞥ":"n", "ꞥ":"n", "Ꞧ":"r", "ꞧ":"r", "Ꞩ":"s", "ꞩ":"s", "Ɦ":"h", "Ƕ":"hv", "ɩ":"i", "Ƞ":"n", "Ɡ":"g", "Ɪ":"i", "Ɬ":"l",
"Ʀ":"r", "Ʂ":"s", "Ʝ":"j", "Ᶎ":"z",
"\u0671":"\u0627", "\u0629":"\u0647", "\u0649":"\u064a", "\u06cc":"\u064a", "\u06a9":"\u0643",
"\u06d2":"\u064a", "\u06c1":"\u0647", "\u06d5":"\u0647",
"\u03c2":"\u03c3", "\u05f0":"\u05d5\u05d5", "\u05f1":"\u05d5\u05d9", "\u05f2":"\u05d9\u05d9"
}'::jsonb;

-- Makes words where PostgreSQL's parser makes none, and makes letters plain. It passes over accents, over the vowel and
-- reading marks of Hebrew and Arabic with the tatweel that widens a word, over the half rings of transliterations
-- (Qurʾan), and over characters that only tell how others are shown. A Catalan "l·l" is "ll".
--
-- A script without spaces becomes pairs of neighbouring characters. In a text that is indexed its last character is a
-- word of its own, too, so that every single character begins a word. An emoji becomes a word of its code; its colours
-- and variants count as one.
create or replace function search_letters(content text, is_query boolean) returns text
  language plpgsql immutable parallel safe
as $$
declare
  unspaced constant text := unspaced_characters();
  emoji constant text := '\u2300-\u23ff\u25a0-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff';
  passed_over constant text := '[\u00ad\u02be\u02bf\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7'
    '\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0898-\u089f\u08ca-\u08ff'
    '\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20dc\u20e1\u20e5-\u20f0'
    '\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\U000e0100-\U000e01ef]';
  -- These ranges contain every key of plain_letters.
  not_plain constant text := '\u00c6-\u02ff\u03c2\u05f0-\u05f2\u0629\u0649\u0671\u06a9\u06c1\u06cc\u06d2\u06d5'
    '\u1d00-\u1dbf\u1e9a-\u1eff\u2c60-\u2c7f\ua720-\ua7ff';
  plain text := normalize(regexp_replace(normalize(content, nfkd), passed_over, '', 'g'), nfc);
  found text;
  letter text;
begin
  if strpos(plain, '·') > 0 then
    plain := regexp_replace(plain, '([lL])·(?=[lL])', '\1', 'g');
  end if;
  if plain ~ ('[' || not_plain || ']') then
    found := regexp_replace(plain, '[^' || not_plain || ']+', '', 'g');
    while found <> '' loop
      letter := left(found, 1);
      plain := replace(plain, letter, coalesce(plain_letters() ->> letter, letter));
      found := replace(found, letter, '');
    end loop;
  end if;
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
-- own. The collation "C" makes capitals small; that of a Turkish database makes ISIK another word than isik.
create or replace function search_text(content text, is_query boolean) returns text
  language sql immutable parallel safe
  return (
    select translate(
      lower(case when strpos(letters, '+') = 0 and strpos(letters, '#') = 0 then letters
        else regexp_replace(regexp_replace(letters, '(\w)\+\+', '\1plusplus ', 'g'),
          '(\w)#(?!\w)', '\1sharp ', 'g') end collate "C"),
      '/.@-+<>&~:#', '           ')
    from (select case when octet_length(content) = length(content) then content
      else search_letters(content, is_query) end as letters) as spelled);

grant execute on function plain_letters() to tertulia_server, tertulia_trigger;

-- The words of an entry as they are spelled now; null if its thought, event or person is gone.
create function search_words_of(kind text, entry uuid) returns tsvector
  language plpgsql volatile
as $$
begin
  return case kind
    when 'THOUGHT' then (select search_words(t.title, t.text) from thoughts t where t.id = entry)
    when 'EVENT' then (
      select search_words(e.name, concat_ws(' ', e.location, e.description)) from events e where e.id = entry)
    else (
      select search_words(concat_ws(' ', u.username, u.display_name), u.bio) from users u where u.id = entry)
    end;
end
$$;

-- Existing entries are spelled anew in the order of their ids, while servers of the previous release continue to run.
-- `spelled_after` is the id of the last entry that was spelled. `spelled_from` is a transaction that began after the
-- migration. An older transaction may have written entries in the old spelling.
alter table search_walk
  add column is_spelling boolean not null default false,
  add column spelled_from xid8,
  add column spelled_after uuid;

-- Spells entries anew for a tenth of a second. Returns true if more entries can be spelled at once. It begins when
-- every transaction older than `spelled_from` has ended, in all databases of the cluster. Of several concurrent calls
-- one spells; the others return false.
create function spell_search_entries() returns boolean
  language plpgsql volatile security definer
  set search_path = public, pg_temp
as $$
declare
  began constant timestamptz := clock_timestamp();
  walk search_walk;
  entry record;
  holds_entry boolean := false;
  spelled tsvector;
  reached uuid;
begin
  select * into walk from search_walk where is_spelling for update skip locked;
  if not found then
    return false;
  end if;
  if walk.spelled_after is null then
    -- A restored database may have the number of a transaction of the cluster that it was saved from.
    if walk.spelled_from is null or walk.spelled_from > pg_current_xact_id() then
      update search_walk set spelled_from = pg_current_xact_id();
      return false;
    end if;
    if pg_snapshot_xmin(pg_current_snapshot()) < walk.spelled_from then
      return false;
    end if;
  end if;
  for entry in
    select id, kind, words from search_entries
    where id > coalesce(walk.spelled_after, '00000000-0000-0000-0000-000000000000') order by id limit 1000
  loop
    if entry.words <> search_words_of(entry.kind, entry.id) then
      -- This call waits for a writer only while it has locked no other entry, so that no deadlock is possible. Under
      -- the lock it reads the text that the writer committed. A later writer waits for this call, and then replaces
      -- the words.
      if holds_entry then
        perform from search_entries where id = entry.id for update skip locked;
        exit when not found;
      else
        perform from search_entries where id = entry.id for update;
      end if;
      holds_entry := true;
      spelled := search_words_of(entry.kind, entry.id);
      update search_entries set words = spelled where id = entry.id and words <> spelled;
    end if;
    reached := entry.id;
    exit when clock_timestamp() > began + interval '100 ms';
  end loop;
  if reached is null then
    -- The vocabulary forgets the words that no entry has any more.
    update search_walk set round = round + 1, after = null, ended_at = null,
      is_spelling = false, spelled_from = null, spelled_after = null;
    return false;
  end if;
  update search_walk set spelled_after = reached;
  return true;
end
$$;
grant execute on function search_words_of(text, uuid) to tertulia_trigger;
grant execute on function spell_search_entries() to tertulia_worker;
reset role;
alter function spell_search_entries() owner to tertulia_trigger;

set local role tertulia_trigger;
update search_walk set is_spelling = true;
reset role;
