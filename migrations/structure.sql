-- The schema that the migrations make. Generated: tertulia migrate --print-structure
-- A function that a trigger calls stands with the first table that has such a trigger, and so do the functions
-- that it calls in turn, unless requests or background work call them, too.

-- account_merges ------------------------------------------------------------------------------------------------------

CREATE TABLE account_merges (
  source_id uuid NOT NULL,
  target_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  leased_until timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT account_merges_pkey PRIMARY KEY (source_id),
  CONSTRAINT account_merges_check CHECK (source_id <> target_id),
  CONSTRAINT account_merges_source_id_fkey FOREIGN KEY (source_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT account_merges_target_id_fkey FOREIGN KEY (target_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX account_merges_leased_until_idx ON account_merges USING btree (leased_until);
CREATE INDEX account_merges_target_id_idx ON account_merges USING btree (target_id);

ALTER TABLE account_merges ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY accounts ON account_merges TO tertulia_worker
  USING (true);

GRANT INSERT, SELECT, UPDATE ON account_merges TO tertulia_worker;

-- activity_marks ------------------------------------------------------------------------------------------------------

CREATE TABLE activity_marks (
  hour timestamp with time zone NOT NULL,
  kind text NOT NULL,
  account_id uuid NOT NULL,
  CONSTRAINT activity_marks_pkey PRIMARY KEY (hour, kind, account_id)
);

ALTER TABLE activity_marks ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY sign_ups ON activity_marks TO tertulia_trigger
  USING (true);
CREATE POLICY marks ON activity_marks TO tertulia_worker
  USING (true);

GRANT INSERT, SELECT ON activity_marks TO tertulia_trigger;
GRANT DELETE, INSERT, SELECT ON activity_marks TO tertulia_worker;

-- blocks --------------------------------------------------------------------------------------------------------------

CREATE TABLE blocks (
  blocker_id uuid NOT NULL,
  blocked_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT blocks_pkey PRIMARY KEY (blocker_id, blocked_id),
  CONSTRAINT blocks_blocked_id_fkey FOREIGN KEY (blocked_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT blocks_blocker_id_fkey FOREIGN KEY (blocker_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX blocks_blocked_id_idx ON blocks USING btree (blocked_id);
CREATE INDEX blocks_blocker_id_created_at_blocked_id_idx ON blocks USING btree (blocker_id, created_at DESC, blocked_id DESC);

ALTER TABLE blocks ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY hides ON blocks FOR SELECT TO tertulia_owner
  USING (true);
CREATE POLICY own ON blocks TO tertulia_server
  USING (blocker_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY triggers ON blocks FOR SELECT TO tertulia_trigger
  USING (true);
CREATE POLICY accounts ON blocks TO tertulia_worker
  USING (true);

GRANT DELETE, SELECT ON blocks TO tertulia_server;
GRANT INSERT (blocker_id, blocked_id) ON blocks TO tertulia_server;
GRANT SELECT ON blocks TO tertulia_trigger;
GRANT DELETE, SELECT ON blocks TO tertulia_worker;
GRANT UPDATE (blocker_id, blocked_id) ON blocks TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON blocks
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(), owned by tertulia_trigger
-- called by tertulia_owner
-- calls refuse_suspended(uuid), viewer_id()
CREATE OR REPLACE FUNCTION public.refuse_suspended_viewer()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- Almost always false, so that a write is spared the call.
  if exists (select from suspensions where user_id = viewer_id() and until > now()) then
    perform refuse_suspended(viewer_id());
  end if;
  return null;
end
$function$;

CREATE TRIGGER log_delete AFTER DELETE ON blocks
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION log_block_changes();

-- log_block_changes(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.log_block_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  pair record;
  raised xid8;
  filed xid8 := pg_current_xact_id();
begin
  for pair in
    select blocker_id as person, blocked_id as other, true as is_blocker from changed
    union all select blocked_id, blocker_id, false from changed order by 1, 2
  loop
    if tg_op = 'INSERT' then
      insert into hidden_people as h (viewer_id, blocked, blocked_by)
      values (pair.person, case when pair.is_blocker then array[pair.other] else '{}' end,
        case when pair.is_blocker then '{}' else array[pair.other] end)
      on conflict (viewer_id) do update
      set blocked = h.blocked || excluded.blocked, blocked_by = h.blocked_by || excluded.blocked_by
      returning changed_in into raised;
    else
      update hidden_people set
        blocked = case when pair.is_blocker then array_remove(blocked, pair.other) else blocked end,
        blocked_by = case when pair.is_blocker then blocked_by else array_remove(blocked_by, pair.other) end
      where viewer_id = pair.person
      returning changed_in into raised;
    end if;
    filed := greatest(filed, raised);
  end loop;
  update hidden_people set changed_in = filed
  where viewer_id in (select blocker_id from changed union select blocked_id from changed) and changed_in < filed;
  -- The owner is the blocker, the subject the blocked person.
  insert into change_log (xid, type, object_id, before, after)
  select filed, 'block', blocked_id,
    case when tg_op = 'DELETE' then state end, case when tg_op = 'INSERT' then state end
  from changed cross join lateral (
    select row(blocker_id, null, null, null, blocked_id, null)::change_state as state) s
  order by blocker_id, blocked_id;
  return null;
end
$function$;

CREATE TRIGGER log_insert AFTER INSERT ON blocks
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION log_block_changes();

CREATE TRIGGER log_update AFTER UPDATE ON blocks
  REFERENCING OLD TABLE AS changed_from NEW TABLE AS changed_to
  FOR EACH STATEMENT
  EXECUTE FUNCTION log_block_moves();

-- log_block_moves(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.log_block_moves()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  concerned uuid[] := array(
    select blocker_id from changed_from union select blocked_id from changed_from
    union select blocker_id from changed_to union select blocked_id from changed_to order by 1);
  filed xid8;
begin
  -- Waits for those who write blocks of these people, whose blocks the next statement then sees.
  perform from hidden_people where viewer_id = any(concerned) order by viewer_id for update;
  with written as (
    insert into hidden_people (viewer_id, blocked, blocked_by)
    select id, array(select blocked_id from blocks where blocker_id = id),
      array(select blocker_id from blocks where blocked_id = id)
    from unnest(concerned) as id order by id
    on conflict (viewer_id) do update set blocked = excluded.blocked, blocked_by = excluded.blocked_by
    returning changed_in
  )
  select max(changed_in) into filed from written;
  update hidden_people set changed_in = filed where viewer_id = any(concerned) and changed_in < filed;
  insert into change_log (xid, type, object_id, before)
  select filed, 'block', blocked_id, row(blocker_id, null, null, null, blocked_id, null)::change_state
  from changed_from order by blocker_id, blocked_id;
  insert into change_log (xid, type, object_id, after)
  select filed, 'block', blocked_id, row(blocker_id, null, null, null, blocked_id, null)::change_state
  from changed_to order by blocker_id, blocked_id;
  return null;
end
$function$;

-- change_log ----------------------------------------------------------------------------------------------------------

CREATE TABLE change_log (
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY (INCREMENT BY 2),
  at timestamp with time zone NOT NULL DEFAULT now(),
  type text NOT NULL,
  object_id uuid NOT NULL,
  before change_state,
  after change_state,
  counters_only boolean NOT NULL DEFAULT false,
  counted change_state
) PARTITION BY RANGE (at);

CREATE INDEX change_log_blocks ON ONLY change_log USING btree (xid, id) WHERE type = 'block'::text;
CREATE INDEX change_log_xid_id_idx ON ONLY change_log USING btree (xid, id);

ALTER TABLE change_log ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON change_log FOR SELECT TO tertulia_owner
  USING (true);
CREATE POLICY append ON change_log FOR INSERT TO tertulia_trigger
  WITH CHECK (true);
CREATE POLICY tell ON change_log FOR SELECT TO tertulia_trigger
  USING (true);
CREATE POLICY tail ON change_log FOR SELECT TO tertulia_worker
  USING (true);

GRANT INSERT, SELECT ON change_log TO tertulia_trigger;
GRANT SELECT ON change_log TO tertulia_worker;

-- change_log_default --------------------------------------------------------------------------------------------------

CREATE TABLE change_log_default (
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  id bigint NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT now(),
  type text NOT NULL,
  object_id uuid NOT NULL,
  before change_state,
  after change_state,
  counters_only boolean NOT NULL DEFAULT false,
  counted change_state
) PARTITION OF change_log DEFAULT;

CREATE INDEX change_log_default_at_idx ON change_log_default USING btree (at);
CREATE INDEX change_log_default_xid_id_idx ON change_log_default USING btree (xid, id);
CREATE INDEX change_log_default_xid_id_idx1 ON change_log_default USING btree (xid, id) WHERE type = 'block'::text;

ALTER TABLE change_log_default ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY sweep ON change_log_default TO tertulia_worker
  USING (true);

GRANT DELETE, SELECT ON change_log_default TO tertulia_worker;

-- change_log_epoch ----------------------------------------------------------------------------------------------------

CREATE TABLE change_log_epoch (
  epoch bigint NOT NULL,
  timeline integer NOT NULL,
  begun_at timestamp with time zone NOT NULL DEFAULT clock_timestamp()
);

CREATE UNIQUE INDEX change_log_epoch_expr_idx ON change_log_epoch USING btree ((true));

ALTER TABLE change_log_epoch ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON change_log_epoch TO tertulia_owner
  USING (true)
  WITH CHECK (true);
CREATE POLICY tail ON change_log_epoch FOR SELECT TO tertulia_worker
  USING (true);

GRANT SELECT ON change_log_epoch TO tertulia_worker;

-- change_log_floor ----------------------------------------------------------------------------------------------------

CREATE TABLE change_log_floor (
  xid xid8 NOT NULL,
  id bigint NOT NULL
);

ALTER TABLE change_log_floor ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON change_log_floor TO tertulia_owner
  USING (true)
  WITH CHECK (true);
CREATE POLICY tail ON change_log_floor FOR SELECT TO tertulia_worker
  USING (true);

GRANT SELECT ON change_log_floor TO tertulia_worker;

-- change_log_origin ---------------------------------------------------------------------------------------------------

CREATE TABLE change_log_origin (
  system bigint NOT NULL,
  database oid NOT NULL
);

ALTER TABLE change_log_origin ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON change_log_origin TO tertulia_owner
  USING (true)
  WITH CHECK (true);
CREATE POLICY tail ON change_log_origin FOR SELECT TO tertulia_worker
  USING (true);

GRANT SELECT ON change_log_origin TO tertulia_worker;

-- comments ------------------------------------------------------------------------------------------------------------

CREATE TABLE comments (
  id uuid NOT NULL,
  author_id uuid NOT NULL,
  thought_id uuid,
  event_id uuid,
  text text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  edited_at timestamp with time zone,
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT comments_pkey PRIMARY KEY (id),
  CONSTRAINT comments_one_subject CHECK (num_nonnulls(thought_id, event_id) = 1),
  CONSTRAINT comments_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT comments_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE,
  CONSTRAINT comments_thought_id_fkey FOREIGN KEY (thought_id) REFERENCES thoughts(id) ON DELETE CASCADE
);

CREATE INDEX comments_of_author ON comments USING btree (author_id, thought_id, event_id);
CREATE INDEX comments_of_event ON comments USING btree (event_id, created_at, id) WHERE event_id IS NOT NULL;
CREATE INDEX comments_of_thought ON comments USING btree (thought_id, created_at, id) WHERE thought_id IS NOT NULL;

ALTER TABLE comments ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY create_own ON comments FOR INSERT TO tertulia_server
  WITH CHECK (author_id = (( SELECT viewer_id() AS viewer_id)) AND ( SELECT viewer_is_member() AS viewer_is_member) AND (thought_id IS NOT NULL AND ( SELECT true
   FROM thoughts t
  WHERE t.id = comments.thought_id) OR event_id IS NOT NULL AND event_is_visible(event_id)));
CREATE POLICY delete_own ON comments FOR DELETE TO tertulia_server
  USING (author_id = (( SELECT viewer_id() AS viewer_id)) OR ( SELECT viewer_is_moderator() AS viewer_is_moderator));
CREATE POLICY not_deleted ON comments AS RESTRICTIVE FOR SELECT TO tertulia_server
  USING (NOT (EXISTS ( SELECT
   FROM deleted_accounts)) OR NOT is_being_deleted(author_id));
CREATE POLICY not_hidden ON comments AS RESTRICTIVE FOR SELECT TO tertulia_server
  USING (COALESCE(author_id <> ALL ((( SELECT listed_hidden_ids() AS listed_hidden_ids))::uuid[]), NOT viewer_hides(author_id)));
CREATE POLICY visible ON comments FOR SELECT TO tertulia_server
  USING (thought_id IS NOT NULL AND ( SELECT true
   FROM thoughts t
  WHERE t.id = comments.thought_id) OR event_id IS NOT NULL AND ( SELECT true
   FROM events e
  WHERE e.id = comments.event_id));
CREATE POLICY update_own ON comments FOR UPDATE TO tertulia_server
  USING (author_id = (( SELECT viewer_id() AS viewer_id)))
  WITH CHECK (author_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY moderation ON comments FOR DELETE TO tertulia_trigger
  USING (true);
CREATE POLICY locks ON comments FOR SELECT TO tertulia_trigger
  USING (true);
CREATE POLICY order_of_the_log ON comments FOR UPDATE TO tertulia_trigger
  USING (true);
CREATE POLICY accounts ON comments TO tertulia_worker
  USING (true);

GRANT DELETE, SELECT ON comments TO tertulia_server;
GRANT INSERT (id, author_id, thought_id, event_id, text) ON comments TO tertulia_server;
GRANT UPDATE (text, edited_at) ON comments TO tertulia_server;
GRANT DELETE, SELECT ON comments TO tertulia_trigger;
GRANT UPDATE (changed_in) ON comments TO tertulia_trigger;
GRANT DELETE, SELECT ON comments TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON comments
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

CREATE TRIGGER keep_log_order BEFORE UPDATE ON comments
  FOR EACH ROW
  EXECUTE FUNCTION keep_log_order();

-- keep_log_order(), owned by tertulia_owner
CREATE OR REPLACE FUNCTION public.keep_log_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.changed_in := greatest(new.changed_in, old.changed_in, pg_current_xact_id());
  return new;
end
$function$;

CREATE TRIGGER count_insert AFTER INSERT ON comments
  FOR EACH ROW
  EXECUTE FUNCTION count_comment();

-- count_comment(), owned by tertulia_trigger
-- calls add_to_comment_count(uuid,uuid,integer,xid8)
CREATE OR REPLACE FUNCTION public.count_comment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  filed xid8;
begin
  -- The row of an imported comment has no `counted`, by which enqueue_comments finds the comments to notify of.
  if current_setting('app.import', true) = 'on' then
    insert into change_log (xid, type, object_id, after)
    values (
      add_to_comment_count(new.thought_id, new.event_id, 1,
        (select changed_in from deleted_objects where id = new.id)),
      'comment', new.id,
      row(new.author_id, null, case when new.thought_id is null then 'event' else 'thought' end, null,
        coalesce(new.thought_id, new.event_id), null)::change_state)
    returning xid into filed;
  elsif new.thought_id is not null then
    with subject as (
      update thoughts set comment_count = comment_count + 1, changed_in = greatest(
        changed_in, pg_current_xact_id(), (select d.changed_in from deleted_objects d where d.id = new.id))
      where id = new.thought_id
      returning changed_in, row(author_id, status, category, null, null, null)::change_state as state
    )
    insert into change_log (xid, type, object_id, after, counted)
    select changed_in, 'comment', new.id, row(new.author_id, null, 'thought', null, new.thought_id, null)::change_state,
      state
    from subject
    returning xid into filed;
  else
    with subject as (
      update events set comment_count = comment_count + 1, changed_in = greatest(
        changed_in, pg_current_xact_id(), (select d.changed_in from deleted_objects d where d.id = new.id))
      where id = new.event_id
      returning changed_in, row(author_id, null, null, starts_at, null, null)::change_state as state
    )
    insert into change_log (xid, type, object_id, after, counted)
    select changed_in, 'comment', new.id, row(new.author_id, null, 'event', null, new.event_id, null)::change_state,
      state
    from subject
    returning xid into filed;
  end if;
  if filed > new.changed_in then
    update comments set changed_in = filed where id = new.id;
  end if;
  return null;
end
$function$;

-- add_to_comment_count(uuid,uuid,integer,xid8), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.add_to_comment_count(thought uuid, event uuid, step integer, newest xid8)
 RETURNS xid8
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  filed xid8;
begin
  if thought is not null then
    with counted as (
      update thoughts set comment_count = comment_count + step,
        changed_in = greatest(changed_in, newest, pg_current_xact_id())
      where id = thought
      returning changed_in, id, row(author_id, status, category, null, null, null)::change_state as state
    )
    insert into change_log (xid, type, object_id, before, after, counters_only)
    select changed_in, 'thought', id, state, state, true from counted
    returning xid into filed;
  else
    with counted as (
      update events set comment_count = comment_count + step,
        changed_in = greatest(changed_in, newest, pg_current_xact_id())
      where id = event
      returning changed_in, id, row(author_id, null, null, starts_at, null, null)::change_state as state
    )
    insert into change_log (xid, type, object_id, before, after, counters_only)
    select changed_in, 'event', id, state, state, true from counted
    returning xid into filed;
  end if;
  return filed;
end
$function$;

CREATE TRIGGER log_update AFTER UPDATE ON comments
  FOR EACH ROW
  WHEN (CURRENT_USER <> 'tertulia_trigger'::name)
  EXECUTE FUNCTION log_comment_update();

-- log_comment_update(), owned by tertulia_trigger
-- called by tertulia_owner
CREATE OR REPLACE FUNCTION public.log_comment_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  kind constant text := case when new.thought_id is null then 'event' else 'thought' end;
  subject constant uuid := coalesce(new.thought_id, new.event_id);
begin
  insert into change_log (xid, type, object_id, before, after)
  values (new.changed_in, 'comment', new.id, row(old.author_id, null, kind, null, subject, null)::change_state,
    row(new.author_id, null, kind, null, subject, null)::change_state);
  return null;
end
$function$;

CREATE TRIGGER count_delete AFTER DELETE ON comments
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_removed_comments();

-- count_removed_comments(), owned by tertulia_trigger
-- calls add_to_comment_count(uuid,uuid,integer,xid8)
CREATE OR REPLACE FUNCTION public.count_removed_comments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  one record;
  comment change_state;
  -- The number under which the subject's id was last deleted; null if it was not.
  subject_deleted xid8;
begin
  select *, count(*) over () as rows into one from changed;
  select changed_in into subject_deleted from deleted_objects where id = coalesce(one.thought_id, one.event_id);
  -- Subjects that are deleted with their comments have been entered in deleted_objects, without regard to the comments.
  -- Their numbers are raised to those of the comments.
  if one.rows > 1 or subject_deleted < one.changed_in then
    update deleted_objects d set changed_in = c.newest from (
      select thought_id, event_id, max(changed_in) as newest from changed group by 1, 2
    ) as c
    where d.id = coalesce(c.thought_id, c.event_id) and d.changed_in < c.newest
      and not exists (select from thoughts where id = c.thought_id)
      and not exists (select from events where id = c.event_id);
  end if;
  if one.rows = 1 then
    comment := row(one.author_id, null, case when one.thought_id is null then 'event' else 'thought' end, null,
      coalesce(one.thought_id, one.event_id), null);
    if one.thought_id is not null then
      with counted as (
        update thoughts set comment_count = comment_count - 1,
          changed_in = greatest(changed_in, one.changed_in, pg_current_xact_id())
        where id = one.thought_id
        returning changed_in, id, row(author_id, status, category, null, null, null)::change_state as state
      ), deleted as (
        insert into deleted_objects as d
        values (one.id, greatest(
          one.changed_in, pg_current_xact_id(), coalesce((select changed_in from counted), subject_deleted)))
        on conflict (id) do update set changed_in = greatest(d.changed_in, excluded.changed_in)
        returning changed_in
      )
      insert into change_log (xid, type, object_id, before, after, counters_only)
      select changed_in, 'comment', one.id, comment, null, false from deleted
      union all
      select changed_in, 'thought', id, state, state, true from counted;
    else
      with counted as (
        update events set comment_count = comment_count - 1,
          changed_in = greatest(changed_in, one.changed_in, pg_current_xact_id())
        where id = one.event_id
        returning changed_in, id, row(author_id, null, null, starts_at, null, null)::change_state as state
      ), deleted as (
        insert into deleted_objects as d
        values (one.id, greatest(
          one.changed_in, pg_current_xact_id(), coalesce((select changed_in from counted), subject_deleted)))
        on conflict (id) do update set changed_in = greatest(d.changed_in, excluded.changed_in)
        returning changed_in
      )
      insert into change_log (xid, type, object_id, before, after, counters_only)
      select changed_in, 'comment', one.id, comment, null, false from deleted
      union all
      select changed_in, 'event', id, state, state, true from counted;
    end if;
  elsif one.rows > 1 then
    with subjects as materialized (
      select thought_id, event_id, add_to_comment_count(thought_id, event_id, -n, newest) as filed from (
        select thought_id, event_id, count(*)::integer as n, max(changed_in) as newest
        from changed group by 1, 2 order by 1, 2
      ) as counts
    ), deleted as (
      insert into deleted_objects as d
      select c.id, greatest(c.changed_in, pg_current_xact_id(), coalesce(s.filed, (
        select d.changed_in from deleted_objects d where d.id = coalesce(c.thought_id, c.event_id))))
      from changed c join subjects s
        on coalesce(c.thought_id, c.event_id) = coalesce(s.thought_id, s.event_id)
          and (c.thought_id is null) = (s.thought_id is null)
      order by c.id
      on conflict (id) do update set changed_in = greatest(d.changed_in, excluded.changed_in)
      returning id, changed_in
    )
    insert into change_log (xid, type, object_id, before)
    select d.changed_in, 'comment', c.id,
      row(c.author_id, null, case when c.thought_id is null then 'event' else 'thought' end, null,
        coalesce(c.thought_id, c.event_id), null)::change_state
    from changed c join deleted d using (id) order by c.id;
  end if;
  return null;
end
$function$;

CREATE TRIGGER log_removal AFTER DELETE ON comments
  REFERENCING OLD TABLE AS changed_from
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION log_removal('comment');

-- log_removal(), owned by tertulia_trigger
-- calls notification_subject(text), notify_of_moderation(uuid,text,text,uuid,text,text), report_reason_text(text), viewer_id()
CREATE OR REPLACE FUNCTION public.log_removal()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  decided uuid := nullif(current_setting('app.report_id', true), '')::uuid;
  why text := (select r.reason from reports r where r.id = decided);
  removed record;
begin
  insert into moderation_log (moderator_id, action, subject_type, subject_id, author_id, report_id, reason)
  select viewer_id(), 'REMOVED', tg_argv[0], id, author_id, decided, why
  from changed_from where author_id <> viewer_id() order by id;
  for removed in
    select o.id, o.author_id, notification_subject(coalesce(
      to_jsonb(o) ->> 'title', to_jsonb(o) ->> 'name', to_jsonb(o) ->> 'text')) as name
    from changed_from o where o.author_id <> viewer_id() order by o.author_id, o.id
  loop
    perform notify_of_moderation(
      removed.author_id, 'CONTENT_REMOVED', tg_argv[0], removed.id, why,
      'Moderators removed your ' || tg_argv[0] || ' “' || removed.name || '”' || report_reason_text(why));
  end loop;
  return null;
end
$function$;

-- notification_subject(text), owned by tertulia_owner
-- called by tertulia_trigger
CREATE OR REPLACE FUNCTION public.notification_subject(name text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return regexp_replace(left(name, 59), '\s+', ' ', 'g') || case when length(name) > 59 then '…' else '' end;
end
$function$;

-- notify_of_moderation(uuid,text,text,uuid,text,text), owned by tertulia_owner
-- called by tertulia_trigger
-- calls queue_pushes(uuid[]), uuid_v7()
CREATE OR REPLACE FUNCTION public.notify_of_moderation(recipient uuid, decision text, about_type text, about uuid, why text, sentence text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  written uuid;
  is_new boolean;
  filed xid8;
begin
  insert into notifications as n (id, user_id, kind, subject_type, subject_id, actors, actor_count, text, reason)
  select uuid_v7(), id, decision, about_type, about, '{}', 0, sentence, why from users
  where id = recipient and not exists (select from deleted_accounts where user_id = recipient)
  on conflict (user_id, kind, subject_id) where read_at is null
    do update set text = excluded.text, reason = excluded.reason, created_at = excluded.created_at
  -- A row that was just inserted has no xmax.
  returning n.id, n.xmax = 0, n.changed_in into written, is_new, filed;
  if written is null then
    return;
  end if;
  insert into change_log (xid, type, object_id, before, after)
  values (filed, 'notification', written,
    case when not is_new then row(recipient, 'UNREAD', null, null, null, null)::change_state end,
    row(recipient, 'UNREAD', null, null, null, null)::change_state);
  perform queue_pushes(array[written]);
end
$function$;

-- queue_pushes(uuid[]), owned by tertulia_owner
-- called by tertulia_trigger
CREATE OR REPLACE FUNCTION public.queue_pushes(told uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into push_queue (device_id, notification_id, message_number)
  select d.id, n.id, m.newest_from_others
  from notifications n
  join push_devices d on d.user_id = n.user_id
  left join conversation_members m
    on n.kind = 'MESSAGE' and m.conversation_id = n.subject_id and m.user_id = n.user_id
  where n.id = any(told) order by 1, 2
  for key share of d
  on conflict (device_id, notification_id)
    do update set told_in = excluded.told_in, message_number = excluded.message_number;
end
$function$;

-- uuid_v7(), owned by tertulia_owner
-- called by tertulia_trigger
CREATE OR REPLACE FUNCTION public.uuid_v7()
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
RETURN (encode(set_bit(set_bit(OVERLAY(uuid_send(gen_random_uuid()) PLACING SUBSTRING(int8send(((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint) FROM 3) FROM 1 FOR 6), (52)::bigint, 1), (53)::bigint, 1), 'hex'::text))::uuid;

-- report_reason_text(text), owned by tertulia_owner
-- called by tertulia_trigger
CREATE OR REPLACE FUNCTION public.report_reason_text(reason text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (COALESCE((': '::text || lower(replace(NULLIF(reason, 'OTHER'::text), '_'::text, ' '::text))), ''::text) || '.'::text);

-- conversation_members ------------------------------------------------------------------------------------------------

CREATE TABLE conversation_members (
  conversation_id uuid NOT NULL,
  place smallint NOT NULL,
  user_id uuid,
  pair_with uuid,
  joined_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  left_at timestamp with time zone,
  absences int8multirange NOT NULL DEFAULT '{}'::int8multirange,
  last_read_message_id uuid,
  last_read_number bigint NOT NULL DEFAULT 0,
  newest_from_others bigint NOT NULL DEFAULT 0,
  last_message_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT conversation_members_pkey PRIMARY KEY (conversation_id, place),
  CONSTRAINT conversation_members_conversation_id_user_id_key UNIQUE (conversation_id, user_id),
  CONSTRAINT conversation_members_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  CONSTRAINT conversation_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
) WITH (fillfactor=85);

CREATE INDEX conversation_members_unread ON conversation_members USING btree (user_id) WHERE newest_from_others > last_read_number AND left_at IS NULL;
CREATE INDEX conversation_members_user_id_last_message_at_conversation_i_idx ON conversation_members USING btree (user_id, last_message_at DESC, conversation_id DESC);

ALTER TABLE conversation_members ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY participants ON conversation_members FOR SELECT TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)) OR viewer_participates(conversation_id));
CREATE POLICY read_own ON conversation_members FOR UPDATE TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)) AND left_at IS NULL)
  WITH CHECK (user_id = (( SELECT viewer_id() AS viewer_id)) AND left_at IS NULL);
CREATE POLICY chat ON conversation_members TO tertulia_trigger
  USING (true);
CREATE POLICY accounts ON conversation_members TO tertulia_worker
  USING (true);

GRANT SELECT ON conversation_members TO tertulia_server;
GRANT UPDATE (last_read_message_id, last_read_number) ON conversation_members TO tertulia_server;
GRANT INSERT, SELECT, UPDATE ON conversation_members TO tertulia_trigger;
GRANT SELECT ON conversation_members TO tertulia_worker;
GRANT UPDATE (user_id) ON conversation_members TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON conversation_members
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

CREATE TRIGGER log_insert AFTER INSERT ON conversation_members
  FOR EACH ROW
  EXECUTE FUNCTION log_member_change();

-- log_member_change(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.log_member_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  filed xid8 := greatest(new.changed_in, old.changed_in, pg_current_xact_id());
begin
  insert into change_log (xid, type, object_id, before, after)
  values (filed, 'conversation', new.conversation_id,
    case when tg_op = 'UPDATE' then row(old.user_id, case when old.left_at is null then 'JOINED' else 'LEFT' end,
      old.pair_with, null, new.conversation_id, null)::change_state end,
    row(new.user_id, case when new.left_at is null then 'JOINED' else 'LEFT' end,
      new.pair_with, null, new.conversation_id, null)::change_state);
  if filed > new.changed_in then
    update conversation_members set changed_in = filed
    where conversation_id = new.conversation_id and place = new.place;
  end if;
  return null;
end
$function$;

CREATE TRIGGER log_update AFTER UPDATE ON conversation_members
  FOR EACH ROW
  WHEN (new.user_id IS DISTINCT FROM old.user_id OR new.left_at IS DISTINCT FROM old.left_at OR new.last_read_number IS DISTINCT FROM old.last_read_number)
  EXECUTE FUNCTION log_member_change();

CREATE TRIGGER read_notification AFTER UPDATE OF last_read_number ON conversation_members
  FOR EACH ROW
  WHEN (new.last_read_number >= new.newest_from_others)
  EXECUTE FUNCTION read_message_notification();

-- read_message_notification(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.read_message_notification()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  with written as (
    update notifications set read_at = date_trunc('milliseconds', now())
    where user_id = new.user_id and kind = 'MESSAGE' and subject_id = new.conversation_id and read_at is null
    returning changed_in, id, user_id
  )
  insert into change_log (xid, type, object_id, before, after)
  select changed_in, 'notification', id, row(user_id, 'UNREAD', null, null, null, null)::change_state,
    row(user_id, 'READ', null, null, null, null)::change_state
  from written;
  return null;
end
$function$;

-- conversations -------------------------------------------------------------------------------------------------------

CREATE TABLE conversations (
  id uuid NOT NULL,
  people_key uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  last_number bigint NOT NULL DEFAULT 0,
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT conversations_pkey PRIMARY KEY (id),
  CONSTRAINT conversations_people_key UNIQUE (people_key)
) WITH (fillfactor=85);

-- Referred to by conversation_members (conversation_id), deleted with its rows
-- Referred to by messages (conversation_id), deleted with its rows

ALTER TABLE conversations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY participants ON conversations FOR SELECT TO tertulia_server
  USING (( SELECT true
   FROM conversation_members p
  WHERE p.conversation_id = conversations.id AND p.user_id = (( SELECT viewer_id() AS viewer_id)) AND p.left_at IS NULL));
CREATE POLICY chat ON conversations TO tertulia_trigger
  USING (true);

GRANT SELECT ON conversations TO tertulia_server;
GRANT INSERT, SELECT, UPDATE ON conversations TO tertulia_trigger;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON conversations
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

-- credentials ---------------------------------------------------------------------------------------------------------

CREATE TABLE credentials (
  user_id uuid NOT NULL,
  email text NOT NULL,
  email_verified_at timestamp with time zone,
  pending_email text,
  password_hash text NOT NULL,
  failed_sign_ins integer NOT NULL DEFAULT 0,
  last_failed_at timestamp with time zone,
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  device_generation integer NOT NULL DEFAULT 0,
  CONSTRAINT credentials_pkey PRIMARY KEY (user_id),
  CONSTRAINT credentials_email_key UNIQUE (email),
  CONSTRAINT credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

ALTER TABLE credentials ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON credentials FOR SELECT TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY accounts ON credentials TO tertulia_worker
  USING (true);

GRANT SELECT (user_id, email, email_verified_at, pending_email) ON credentials TO tertulia_server;
GRANT DELETE, INSERT, SELECT, UPDATE ON credentials TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON credentials
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

CREATE TRIGGER log_update AFTER UPDATE OF email, pending_email, email_verified_at ON credentials
  FOR EACH ROW
  WHEN (new.email IS DISTINCT FROM old.email OR new.pending_email IS DISTINCT FROM old.pending_email OR new.email_verified_at IS DISTINCT FROM old.email_verified_at)
  EXECUTE FUNCTION log_credentials_update();

-- log_credentials_update(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.log_credentials_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into change_log (type, object_id, before, after)
  values ('user', new.user_id, row(new.user_id, null, null, null, null, null)::change_state,
    row(new.user_id, null, null, null, null, null)::change_state);
  return null;
end
$function$;

CREATE TRIGGER mark_sign_up AFTER INSERT ON credentials
  FOR EACH ROW
  EXECUTE FUNCTION mark_sign_up();

-- mark_sign_up(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.mark_sign_up()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if current_setting('app.import', true) = 'on' then
    return null;
  end if;
  insert into activity_marks values (date_trunc('hour', now()), 'SIGN_UP', new.user_id) on conflict do nothing;
  return null;
end
$function$;

-- deleted_accounts ----------------------------------------------------------------------------------------------------

CREATE TABLE deleted_accounts (
  user_id uuid NOT NULL,
  deleted_at timestamp with time zone NOT NULL DEFAULT now(),
  leased_until timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT deleted_accounts_pkey PRIMARY KEY (user_id),
  CONSTRAINT deleted_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX deleted_accounts_leased_until_idx ON deleted_accounts USING btree (leased_until);

ALTER TABLE deleted_accounts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY hides ON deleted_accounts FOR SELECT TO tertulia_owner
  USING (true);
CREATE POLICY everyone ON deleted_accounts FOR SELECT TO tertulia_server
  USING (true);
CREATE POLICY triggers ON deleted_accounts FOR SELECT TO tertulia_trigger
  USING (true);
CREATE POLICY accounts ON deleted_accounts TO tertulia_worker
  USING (true);

GRANT SELECT (user_id) ON deleted_accounts TO tertulia_server;
GRANT SELECT (user_id) ON deleted_accounts TO tertulia_trigger;
GRANT INSERT, SELECT, UPDATE ON deleted_accounts TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON deleted_accounts
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

-- deleted_objects -----------------------------------------------------------------------------------------------------

CREATE TABLE deleted_objects (
  id uuid NOT NULL,
  changed_in xid8 NOT NULL,
  CONSTRAINT deleted_objects_pkey PRIMARY KEY (id)
);

ALTER TABLE deleted_objects ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY order_of_the_log ON deleted_objects TO tertulia_trigger
  USING (true);
CREATE POLICY sweep ON deleted_objects TO tertulia_worker
  USING (true);

GRANT INSERT, SELECT, UPDATE ON deleted_objects TO tertulia_trigger;
GRANT DELETE, SELECT ON deleted_objects TO tertulia_worker;

-- event_rsvps ---------------------------------------------------------------------------------------------------------

CREATE TABLE event_rsvps (
  event_id uuid NOT NULL,
  user_id uuid NOT NULL,
  status text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  CONSTRAINT event_rsvps_pkey PRIMARY KEY (event_id, user_id),
  CONSTRAINT event_rsvps_status_check CHECK (status = ANY (ARRAY['INTERESTED'::text, 'GOING'::text])),
  CONSTRAINT event_rsvps_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE,
  CONSTRAINT event_rsvps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX event_rsvps_event_id_created_at_user_id_idx ON event_rsvps USING btree (event_id, created_at, user_id);
CREATE INDEX event_rsvps_user_id_created_at_event_id_idx ON event_rsvps USING btree (user_id, created_at DESC, event_id DESC);

ALTER TABLE event_rsvps ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY create_own ON event_rsvps FOR INSERT TO tertulia_server
  WITH CHECK (user_id = (( SELECT viewer_id() AS viewer_id)) AND (EXISTS ( SELECT
   FROM events e
  WHERE e.id = event_rsvps.event_id)));
CREATE POLICY delete_own ON event_rsvps FOR DELETE TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY everyone ON event_rsvps FOR SELECT TO tertulia_server
  USING (true);
CREATE POLICY not_deleted ON event_rsvps AS RESTRICTIVE FOR SELECT TO tertulia_server
  USING (NOT (EXISTS ( SELECT
   FROM deleted_accounts)) OR NOT is_being_deleted(user_id));
CREATE POLICY not_hidden ON event_rsvps AS RESTRICTIVE FOR SELECT TO tertulia_server
  USING (COALESCE(user_id <> ALL ((( SELECT listed_hidden_ids() AS listed_hidden_ids))::uuid[]), NOT viewer_hides(user_id)));
CREATE POLICY update_own ON event_rsvps FOR UPDATE TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY locks ON event_rsvps FOR SELECT TO tertulia_trigger
  USING (true);
CREATE POLICY accounts ON event_rsvps TO tertulia_worker
  USING (true);

GRANT DELETE, SELECT ON event_rsvps TO tertulia_server;
GRANT INSERT (event_id, user_id, status) ON event_rsvps TO tertulia_server;
GRANT UPDATE (status) ON event_rsvps TO tertulia_server;
GRANT SELECT ON event_rsvps TO tertulia_trigger;
GRANT DELETE, SELECT ON event_rsvps TO tertulia_worker;
GRANT UPDATE (user_id) ON event_rsvps TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON event_rsvps
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

CREATE TRIGGER enqueue AFTER INSERT ON event_rsvps
  FOR EACH ROW
  EXECUTE FUNCTION enqueue_rsvp();

-- enqueue_rsvp(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.enqueue_rsvp()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if current_setting('app.import', true) = 'on' then
    return null;
  end if;
  insert into outbox (kind, subject_type, subject_id, actor_id) values ('RSVP', 'event', new.event_id, new.user_id);
  return null;
end
$function$;

CREATE TRIGGER count_delete AFTER DELETE ON event_rsvps
  REFERENCING OLD TABLE AS changed_from
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_event_rsvps();

-- count_event_rsvps(), owned by tertulia_trigger
-- calls add_to_rsvp_counts(uuid,integer,integer)
CREATE OR REPLACE FUNCTION public.count_event_rsvps()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    perform add_to_rsvp_counts(event_id, interested, going) from (
      select event_id, (count(*) filter (where status = 'INTERESTED'))::integer as interested,
        (count(*) filter (where status = 'GOING'))::integer as going
      from changed_to group by 1 order by 1
    ) as events;
  elsif tg_op = 'DELETE' then
    perform add_to_rsvp_counts(event_id, -interested, -going) from (
      select event_id, (count(*) filter (where status = 'INTERESTED'))::integer as interested,
        (count(*) filter (where status = 'GOING'))::integer as going
      from changed_from group by 1 order by 1
    ) as events;
  else
    perform add_to_rsvp_counts(event_id, interested, going) from (
      select event_id,
        sum((n.status = 'INTERESTED')::integer - (o.status = 'INTERESTED')::integer)::integer as interested,
        sum((n.status = 'GOING')::integer - (o.status = 'GOING')::integer)::integer as going
      from changed_to n join changed_from o using (event_id, user_id)
      where n.status <> o.status group by 1 order by 1
    ) as events;
  end if;
  return null;
end
$function$;

-- add_to_rsvp_counts(uuid,integer,integer), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.add_to_rsvp_counts(event uuid, interested integer, going integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  with counted as (
    update events set interested_count = interested_count + interested, going_count = going_count + going,
      changed_in = greatest(changed_in, pg_current_xact_id())
    where id = event
    returning changed_in, id, row(author_id, null, null, starts_at, null, null)::change_state as state
  )
  insert into change_log (xid, type, object_id, before, after, counters_only)
  select changed_in, 'event', id, state, state, true from counted;
end
$function$;

CREATE TRIGGER count_insert AFTER INSERT ON event_rsvps
  REFERENCING NEW TABLE AS changed_to
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_event_rsvps();

CREATE TRIGGER count_update AFTER UPDATE ON event_rsvps
  REFERENCING OLD TABLE AS changed_from NEW TABLE AS changed_to
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_event_rsvps();

-- events --------------------------------------------------------------------------------------------------------------

CREATE TABLE events (
  id uuid NOT NULL,
  author_id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  location text,
  image_id uuid,
  starts_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  time_zone text,
  cancelled_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  updated_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  interested_count integer NOT NULL DEFAULT 0,
  going_count integer NOT NULL DEFAULT 0,
  comment_count integer NOT NULL DEFAULT 0,
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT events_pkey PRIMARY KEY (id),
  CONSTRAINT events_check CHECK (ends_at >= starts_at),
  CONSTRAINT events_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT events_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id) ON DELETE SET NULL
) WITH (fillfactor=85);

-- Referred to by comments (event_id), deleted with its rows
-- Referred to by event_rsvps (event_id), deleted with its rows

CREATE INDEX events_chronological ON events USING btree (starts_at, id);
CREATE INDEX events_newest ON events USING btree (created_at DESC, id DESC);
CREATE INDEX events_of_author ON events USING btree (author_id, starts_at, id);
CREATE INDEX events_of_image ON events USING btree (image_id) WHERE image_id IS NOT NULL;

ALTER TABLE events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY create_own ON events FOR INSERT TO tertulia_server
  WITH CHECK (author_id = (( SELECT viewer_id() AS viewer_id)) AND ( SELECT viewer_is_member() AS viewer_is_member));
CREATE POLICY delete_own ON events FOR DELETE TO tertulia_server
  USING (author_id = (( SELECT viewer_id() AS viewer_id)) OR ( SELECT viewer_is_moderator() AS viewer_is_moderator));
CREATE POLICY everyone ON events FOR SELECT TO tertulia_server
  USING (true);
CREATE POLICY not_deleted ON events AS RESTRICTIVE FOR SELECT TO tertulia_server
  USING (NOT (EXISTS ( SELECT
   FROM deleted_accounts)) OR NOT is_being_deleted(author_id));
CREATE POLICY not_hidden ON events AS RESTRICTIVE FOR SELECT TO tertulia_server
  USING (COALESCE(author_id <> ALL ((( SELECT listed_hidden_ids() AS listed_hidden_ids))::uuid[]), NOT viewer_hides(author_id)));
CREATE POLICY update_own ON events FOR UPDATE TO tertulia_server
  USING (author_id = (( SELECT viewer_id() AS viewer_id)))
  WITH CHECK (author_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY counters ON events TO tertulia_trigger
  USING (true);
CREATE POLICY accounts ON events TO tertulia_worker
  USING (true);

GRANT DELETE, SELECT ON events TO tertulia_server;
GRANT INSERT (id, author_id, name, description, location, image_id, starts_at, ends_at, time_zone) ON events TO tertulia_server;
GRANT UPDATE (name, description, location, image_id, starts_at, ends_at, time_zone, cancelled_at, updated_at) ON events TO tertulia_server;
GRANT DELETE, SELECT ON events TO tertulia_trigger;
GRANT UPDATE (interested_count, going_count, comment_count, changed_in) ON events TO tertulia_trigger;
GRANT DELETE, SELECT ON events TO tertulia_worker;
GRANT UPDATE (image_id) ON events TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON events
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

CREATE TRIGGER keep_log_order BEFORE UPDATE ON events
  FOR EACH ROW
  WHEN (CURRENT_USER <> 'tertulia_trigger'::name)
  EXECUTE FUNCTION keep_log_order();

-- keep_log_order(): see comments

CREATE TRIGGER enqueue_cancellation AFTER UPDATE OF cancelled_at ON events
  FOR EACH ROW
  WHEN (old.cancelled_at IS NULL AND new.cancelled_at IS NOT NULL AND new.ends_at > now())
  EXECUTE FUNCTION enqueue_event_change('EVENT_CANCELLED');

-- enqueue_event_change(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.enqueue_event_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into outbox (kind, subject_type, subject_id, actor_id) values (tg_argv[0], 'event', new.id, new.author_id);
  return null;
end
$function$;

CREATE TRIGGER enqueue_change AFTER UPDATE OF name, starts_at, ends_at, time_zone, location ON events
  FOR EACH ROW
  WHEN (new.cancelled_at IS NULL AND GREATEST(old.ends_at, new.ends_at) > now() AND (new.name IS DISTINCT FROM old.name OR new.starts_at IS DISTINCT FROM old.starts_at OR new.ends_at IS DISTINCT FROM old.ends_at OR new.time_zone IS DISTINCT FROM old.time_zone OR new.location IS DISTINCT FROM old.location))
  EXECUTE FUNCTION enqueue_event_change('EVENT_CHANGED');

CREATE TRIGGER enter_insert AFTER INSERT ON events
  FOR EACH ROW
  EXECUTE FUNCTION enter_event();

-- enter_event(), owned by tertulia_trigger
-- calls search_words(text,text)
CREATE OR REPLACE FUNCTION public.enter_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into search_entries
  values (new.id, 'EVENT', new.created_at,
    search_words(new.name, concat_ws(' ', new.location, new.description)))
  on conflict (id) do update set words = excluded.words;
  return null;
end
$function$;

-- search_words(text,text), owned by tertulia_owner
-- called by tertulia_trigger
-- calls search_text(text,boolean)
CREATE OR REPLACE FUNCTION public.search_words(first text, rest text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (setweight(to_tsvector('simple'::regconfig, search_text(COALESCE(first, ''::text), false)), 'A'::"char") || setweight(to_tsvector('simple'::regconfig, search_text(COALESCE(rest, ''::text), false)), 'B'::"char"));

CREATE TRIGGER enter_update AFTER UPDATE OF name, description, location ON events
  FOR EACH ROW
  EXECUTE FUNCTION enter_event();

CREATE TRIGGER log_update AFTER UPDATE ON events
  FOR EACH ROW
  WHEN (CURRENT_USER <> 'tertulia_trigger'::name)
  EXECUTE FUNCTION log_event_update();

-- log_event_update(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.log_event_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into change_log (xid, type, object_id, before, after)
  values (new.changed_in, 'event', new.id, row(old.author_id, null, null, old.starts_at, null, null)::change_state,
    row(new.author_id, null, null, new.starts_at, null, null)::change_state);
  return null;
end
$function$;

CREATE TRIGGER release_image_delete AFTER DELETE ON events
  FOR EACH ROW
  WHEN (old.image_id IS NOT NULL)
  EXECUTE FUNCTION release_image();

-- release_image(), owned by tertulia_trigger
-- called by tertulia_owner
CREATE OR REPLACE FUNCTION public.release_image()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

CREATE TRIGGER release_image_update AFTER UPDATE OF image_id ON events
  FOR EACH ROW
  WHEN (old.image_id IS DISTINCT FROM new.image_id)
  EXECUTE FUNCTION release_image();

CREATE TRIGGER delete_entries AFTER DELETE ON events
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION delete_search_entries();

-- delete_search_entries(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.delete_search_entries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from search_entries where id in (select id from changed);
  return null;
end
$function$;

CREATE TRIGGER log_delete AFTER DELETE ON events
  REFERENCING OLD TABLE AS changed_from
  FOR EACH STATEMENT
  EXECUTE FUNCTION log_event_changes();

-- log_event_changes(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.log_event_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into change_log (xid, type, object_id, after)
    select greatest(n.changed_in, d.changed_in), 'event', n.id,
      row(n.author_id, null, null, n.starts_at, null, null)::change_state
    from changed_to n left join deleted_objects d using (id) order by n.id;
    update events e set changed_in = d.changed_in from changed_to n join deleted_objects d using (id)
    where e.id = n.id and d.changed_in > n.changed_in;
  else
    with deleted as (
      insert into deleted_objects as d
      select id, greatest(changed_in, pg_current_xact_id()) from changed_from order by id
      on conflict (id) do update set changed_in = greatest(d.changed_in, excluded.changed_in)
      returning id, changed_in
    )
    insert into change_log (xid, type, object_id, before)
    select d.changed_in, 'event', o.id, row(o.author_id, null, null, o.starts_at, null, null)::change_state
    from changed_from o join deleted d using (id) order by o.id;
  end if;
  return null;
end
$function$;

CREATE TRIGGER log_insert AFTER INSERT ON events
  REFERENCING NEW TABLE AS changed_to
  FOR EACH STATEMENT
  EXECUTE FUNCTION log_event_changes();

CREATE TRIGGER log_removal AFTER DELETE ON events
  REFERENCING OLD TABLE AS changed_from
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION log_removal('event');

-- log_removal(): see comments

-- hidden_people -------------------------------------------------------------------------------------------------------

CREATE TABLE hidden_people (
  viewer_id uuid NOT NULL,
  blocked uuid[] NOT NULL DEFAULT '{}'::uuid[],
  blocked_by uuid[] NOT NULL DEFAULT '{}'::uuid[],
  people integer NOT NULL GENERATED ALWAYS AS (cardinality(blocked) + cardinality(blocked_by)) STORED,
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT hidden_people_pkey PRIMARY KEY (viewer_id),
  CONSTRAINT hidden_people_viewer_id_fkey FOREIGN KEY (viewer_id) REFERENCES users(id) ON DELETE CASCADE
);

ALTER TABLE hidden_people ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON hidden_people FOR SELECT TO tertulia_server
  USING (viewer_id = viewer_id());
CREATE POLICY blocks ON hidden_people TO tertulia_trigger
  USING (true);
CREATE POLICY tail ON hidden_people FOR SELECT TO tertulia_worker
  USING (true);

GRANT SELECT ON hidden_people TO tertulia_server;
GRANT INSERT, SELECT, UPDATE ON hidden_people TO tertulia_trigger;
GRANT SELECT ON hidden_people TO tertulia_worker;

CREATE TRIGGER keep_log_order BEFORE UPDATE ON hidden_people
  FOR EACH ROW
  EXECUTE FUNCTION keep_log_order();

-- keep_log_order(): see comments

-- idempotency ---------------------------------------------------------------------------------------------------------

CREATE TABLE idempotency (
  account_id uuid NOT NULL,
  mutation text NOT NULL,
  client_mutation_id text NOT NULL,
  input_hash bytea NOT NULL,
  outcome jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT idempotency_pkey PRIMARY KEY (account_id, mutation, client_mutation_id)
);

CREATE INDEX idempotency_created_at_idx ON idempotency USING btree (created_at);

ALTER TABLE idempotency ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON idempotency TO tertulia_server
  USING (account_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY sweep ON idempotency TO tertulia_worker
  USING (true);

GRANT DELETE, SELECT ON idempotency TO tertulia_server;
GRANT INSERT (account_id, mutation, client_mutation_id, input_hash, outcome) ON idempotency TO tertulia_server;
GRANT UPDATE (outcome) ON idempotency TO tertulia_server;
GRANT DELETE, SELECT ON idempotency TO tertulia_worker;
GRANT INSERT (account_id, mutation, client_mutation_id, input_hash, outcome) ON idempotency TO tertulia_worker;

-- image_contents ------------------------------------------------------------------------------------------------------

CREATE TABLE image_contents (
  sha256 bytea NOT NULL,
  bytes bytea STORAGE e NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT image_contents_pkey PRIMARY KEY (sha256)
);

-- Referred to by images (sha256)
-- Referred to by report_images (sha256)

ALTER TABLE image_contents ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY store ON image_contents TO tertulia_trigger
  USING (true);
CREATE POLICY serving ON image_contents FOR SELECT TO tertulia_worker
  USING (true);

GRANT DELETE, INSERT, SELECT ON image_contents TO tertulia_trigger;
GRANT UPDATE (created_at) ON image_contents TO tertulia_trigger;
GRANT SELECT ON image_contents TO tertulia_worker;

-- images --------------------------------------------------------------------------------------------------------------

CREATE TABLE images (
  id uuid NOT NULL,
  owner_id uuid NOT NULL,
  sha256 bytea NOT NULL,
  mime_type text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  byte_size integer NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  check_at timestamp with time zone DEFAULT now() + '1 day'::interval,
  CONSTRAINT images_pkey PRIMARY KEY (id),
  CONSTRAINT images_mime_type_check CHECK (mime_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/gif'::text, 'image/webp'::text])),
  CONSTRAINT images_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT images_sha256_fkey FOREIGN KEY (sha256) REFERENCES image_contents(sha256)
);

-- Referred to by events (image_id), set null with its rows
-- Referred to by messages (image_id), set null with its rows
-- Referred to by thoughts (image_id), set null with its rows
-- Referred to by users (avatar_id), set null with its rows

CREATE INDEX images_newest_of_owner ON images USING btree (owner_id, created_at DESC, id DESC) INCLUDE (byte_size);
CREATE INDEX images_sha256_idx ON images USING btree (sha256);
CREATE INDEX images_to_check ON images USING btree (check_at) WHERE check_at IS NOT NULL;

ALTER TABLE images ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_insert ON images FOR INSERT TO tertulia_server
  WITH CHECK (owner_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY delete_own ON images FOR DELETE TO tertulia_server
  USING (owner_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY not_deleted ON images AS RESTRICTIVE FOR SELECT TO tertulia_server
  USING (NOT (EXISTS ( SELECT
   FROM deleted_accounts)) OR NOT is_being_deleted(owner_id));
CREATE POLICY visible ON images FOR SELECT TO tertulia_server
  USING (owner_id = (( SELECT viewer_id() AS viewer_id)) OR image_is_public(id, owner_id) OR ( SELECT true
   FROM messages m
  WHERE m.image_id = images.id AND m.author_id = images.owner_id
 LIMIT 1));
CREATE POLICY store ON images TO tertulia_trigger
  USING (true);
CREATE POLICY accounts ON images TO tertulia_worker
  USING (true);

GRANT DELETE, SELECT ON images TO tertulia_server;
GRANT DELETE, INSERT, SELECT ON images TO tertulia_trigger;
GRANT UPDATE (check_at) ON images TO tertulia_trigger;
GRANT DELETE, SELECT ON images TO tertulia_worker;
GRANT UPDATE (owner_id) ON images TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON images
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

CREATE TRIGGER keep_reported BEFORE DELETE ON images
  FOR EACH ROW
  EXECUTE FUNCTION keep_reported_image_as_it_goes();

-- keep_reported_image_as_it_goes(), owned by tertulia_trigger
-- calls keep_reported_image(uuid)
CREATE OR REPLACE FUNCTION public.keep_reported_image_as_it_goes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform keep_reported_image(old.id);
  return old;
end
$function$;

CREATE TRIGGER release_contents AFTER DELETE ON images
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION release_image_contents();

-- release_image_contents(), owned by tertulia_trigger
-- called by tertulia_owner
CREATE OR REPLACE FUNCTION public.release_image_contents()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into released_image_contents (sha256) select distinct sha256 from changed order by 1 on conflict do nothing;
  return null;
end
$function$;

-- imported_objects ----------------------------------------------------------------------------------------------------

CREATE TABLE imported_objects (
  source text NOT NULL,
  kind text NOT NULL,
  old_id text NOT NULL,
  object_id uuid NOT NULL,
  CONSTRAINT imported_objects_pkey PRIMARY KEY (source, kind, old_id)
);

CREATE INDEX imported_objects_old_id_idx ON imported_objects USING btree (old_id);

ALTER TABLE imported_objects ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY everyone ON imported_objects FOR SELECT TO tertulia_server
  USING (true);
CREATE POLICY resets ON imported_objects FOR SELECT TO tertulia_worker
  USING (true);

GRANT SELECT ON imported_objects TO tertulia_server;
GRANT SELECT ON imported_objects TO tertulia_worker;

-- mails ---------------------------------------------------------------------------------------------------------------

CREATE TABLE mails (
  id uuid NOT NULL,
  kind text NOT NULL,
  recipient text NOT NULL,
  user_id uuid,
  detail text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  due_at timestamp with time zone NOT NULL DEFAULT now(),
  tries integer NOT NULL DEFAULT 0,
  CONSTRAINT mails_pkey PRIMARY KEY (id),
  CONSTRAINT mails_kind_check CHECK (kind = ANY (ARRAY['CONFIRM_EMAIL'::text, 'RESET_PASSWORD'::text, 'PASSWORD_CHANGED'::text, 'EMAIL_CHANGE_REQUESTED'::text, 'EMAIL_CHANGED'::text])),
  CONSTRAINT mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX mails_due_at_idx ON mails USING btree (due_at);
CREATE INDEX mails_recipient_idx ON mails USING btree (recipient) WHERE user_id IS NULL;
CREATE INDEX mails_user_id_idx ON mails USING btree (user_id) WHERE user_id IS NOT NULL;

ALTER TABLE mails ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY accounts ON mails TO tertulia_worker
  USING (true);

GRANT DELETE, INSERT, SELECT, UPDATE ON mails TO tertulia_worker;

-- messages ------------------------------------------------------------------------------------------------------------

CREATE TABLE messages (
  id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  author_id uuid,
  number bigint NOT NULL,
  text text NOT NULL,
  image_id uuid,
  created_at timestamp with time zone NOT NULL,
  edited_at timestamp with time zone,
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT messages_pkey PRIMARY KEY (id),
  CONSTRAINT messages_conversation_id_number_author_id_key UNIQUE (conversation_id, number) INCLUDE (author_id),
  CONSTRAINT messages_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  CONSTRAINT messages_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id) ON DELETE SET NULL
);

CREATE INDEX messages_of_author ON messages USING btree (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX messages_of_image ON messages USING btree (image_id) WHERE image_id IS NOT NULL;

ALTER TABLE messages ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY create_own ON messages FOR INSERT TO tertulia_server
  WITH CHECK (author_id = (( SELECT viewer_id() AS viewer_id)) AND ( SELECT viewer_is_member() AS viewer_is_member) AND ( SELECT (p.pair_with = ANY ((( SELECT people_hidden_from_viewer() AS people_hidden_from_viewer))::uuid[])) IS NOT TRUE
   FROM conversation_members p
  WHERE p.conversation_id = messages.conversation_id AND p.user_id = (( SELECT viewer_id() AS viewer_id)) AND p.left_at IS NULL));
CREATE POLICY delete_own ON messages FOR DELETE TO tertulia_server
  USING (author_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY participants ON messages FOR SELECT TO tertulia_server
  USING (( SELECT true
   FROM conversation_members p
  WHERE p.conversation_id = messages.conversation_id AND p.user_id = (( SELECT viewer_id() AS viewer_id)) AND p.left_at IS NULL AND NOT messages.number <@ p.absences));
CREATE POLICY update_own ON messages FOR UPDATE TO tertulia_server
  USING (author_id = (( SELECT viewer_id() AS viewer_id)))
  WITH CHECK (author_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY triggers ON messages FOR SELECT TO tertulia_trigger
  USING (true);
CREATE POLICY order_of_the_log ON messages FOR UPDATE TO tertulia_trigger
  USING (true);
CREATE POLICY accounts ON messages TO tertulia_worker
  USING (true);

GRANT DELETE, SELECT ON messages TO tertulia_server;
GRANT INSERT (id, conversation_id, author_id, text, image_id) ON messages TO tertulia_server;
GRANT UPDATE (text, edited_at) ON messages TO tertulia_server;
GRANT SELECT ON messages TO tertulia_trigger;
GRANT UPDATE (changed_in) ON messages TO tertulia_trigger;
GRANT SELECT ON messages TO tertulia_worker;
GRANT UPDATE (author_id, image_id) ON messages TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON messages
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

CREATE TRIGGER keep_log_order BEFORE UPDATE ON messages
  FOR EACH ROW
  EXECUTE FUNCTION keep_log_order();

-- keep_log_order(): see comments

CREATE TRIGGER number BEFORE INSERT ON messages
  FOR EACH ROW
  EXECUTE FUNCTION number_message();

-- number_message(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.number_message()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform from users where id = new.author_id for key share;
  update conversations set last_number = last_number + 1, changed_in = greatest(changed_in, pg_current_xact_id())
    where id = new.conversation_id
    returning last_number, changed_in into new.number, new.changed_in;
  new.created_at := date_trunc('milliseconds', clock_timestamp());
  return new;
end
$function$;

CREATE TRIGGER enqueue AFTER INSERT ON messages
  FOR EACH ROW
  EXECUTE FUNCTION enqueue_message();

-- enqueue_message(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.enqueue_message()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into outbox (kind, subject_type, subject_id, actor_id)
  values ('MESSAGE', 'conversation', new.conversation_id, new.author_id);
  return null;
end
$function$;

CREATE TRIGGER release_image_delete AFTER DELETE ON messages
  FOR EACH ROW
  WHEN (old.image_id IS NOT NULL)
  EXECUTE FUNCTION release_image();

-- release_image(): see events

CREATE TRIGGER log_delete AFTER DELETE ON messages
  REFERENCING OLD TABLE AS changed_from
  FOR EACH STATEMENT
  EXECUTE FUNCTION log_message_changes();

-- log_message_changes(), owned by tertulia_trigger
-- called by tertulia_owner
CREATE OR REPLACE FUNCTION public.log_message_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    update conversation_members p set last_message_at = greatest(p.last_message_at, n.at),
      newest_from_others = greatest(p.newest_from_others, (
        select max(number) from changed_to m
        where m.conversation_id = p.conversation_id and m.author_id is distinct from p.user_id))
    from (select conversation_id, max(created_at) as at from changed_to group by 1) n
    where p.conversation_id = n.conversation_id and p.left_at is null;
    if exists (select from deleted_objects d join changed_to n using (id) where d.changed_in > n.changed_in) then
      with filed as (
        update messages m set changed_in = d.changed_in from deleted_objects d
        where d.id = m.id and d.changed_in > m.changed_in and m.id in (select id from changed_to)
        returning m.conversation_id, m.changed_in
      )
      update conversations c set changed_in = f.newest
      from (select conversation_id, max(changed_in) as newest from filed group by 1) f
      where c.id = f.conversation_id and c.changed_in < f.newest;
    end if;
    insert into change_log (xid, type, object_id, before, after)
    select changed_in, 'message', id, null, row(author_id, null, null, null, conversation_id, null)::change_state
    from messages where id in (select id from changed_to)
    union all
    select changed_in, 'conversation', id,
      row(null, null, null, null, id, null)::change_state,
      row(null, null, null, null, id, null)::change_state
    from conversations where id in (select conversation_id from changed_to);
  elsif tg_op = 'UPDATE' then
    if exists (select from changed_to n join changed_from o using (id) where n.text <> o.text) then
      perform from conversations where id in (select conversation_id from changed_to) order by id for share;
    end if;
    insert into change_log (xid, type, object_id, before, after)
    select greatest(n.changed_in, c.changed_in), 'message', n.id,
      row(o.author_id, null, null, null, o.conversation_id, null)::change_state,
      row(n.author_id, null, null, null, n.conversation_id, null)::change_state
    from changed_to n join changed_from o using (id) join conversations c on c.id = n.conversation_id order by n.id;
  else
    perform from conversations where id in (select conversation_id from changed_from) order by id for share;
    with deleted as (
      insert into deleted_objects as d
      select m.id, greatest(m.changed_in, pg_current_xact_id(), c.changed_in)
      from changed_from m join conversations c on c.id = m.conversation_id order by m.id
      on conflict (id) do update set changed_in = greatest(d.changed_in, excluded.changed_in)
      returning id, changed_in
    )
    insert into change_log (xid, type, object_id, before, after)
    select d.changed_in, 'message', id, row(author_id, null, null, null, conversation_id, null)::change_state, null
    from changed_from join deleted d using (id)
    union all
    select max(d.changed_in), 'conversation', conversation_id,
      row(null, null, null, null, conversation_id, null)::change_state,
      row(null, null, null, null, conversation_id, null)::change_state
    from changed_from join deleted d using (id) group by conversation_id;
  end if;
  return null;
end
$function$;

CREATE TRIGGER log_insert AFTER INSERT ON messages
  REFERENCING NEW TABLE AS changed_to
  FOR EACH STATEMENT
  EXECUTE FUNCTION log_message_changes();

CREATE TRIGGER log_update AFTER UPDATE ON messages
  REFERENCING OLD TABLE AS changed_from NEW TABLE AS changed_to
  FOR EACH STATEMENT
  WHEN (CURRENT_USER <> 'tertulia_trigger'::name)
  EXECUTE FUNCTION log_message_changes();

-- moderation_log ------------------------------------------------------------------------------------------------------

CREATE TABLE moderation_log (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamp with time zone NOT NULL DEFAULT now(),
  moderator_id uuid NOT NULL,
  action text NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  author_id uuid,
  report_id uuid,
  reason text,
  until timestamp with time zone,
  CONSTRAINT moderation_log_pkey PRIMARY KEY (id),
  CONSTRAINT moderation_log_action_check CHECK (action = ANY (ARRAY['REMOVED'::text, 'DISMISSED'::text, 'SUSPENDED'::text, 'UNSUSPENDED'::text]))
);

CREATE INDEX moderation_log_subject_id_idx ON moderation_log USING btree (subject_id);

ALTER TABLE moderation_log ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY append ON moderation_log FOR INSERT TO tertulia_trigger
  WITH CHECK (true);
CREATE POLICY append_as_worker ON moderation_log FOR INSERT TO tertulia_worker
  WITH CHECK (true);
CREATE POLICY read ON moderation_log FOR SELECT TO tertulia_worker
  USING (true);

GRANT INSERT ON moderation_log TO tertulia_trigger;
GRANT INSERT, SELECT ON moderation_log TO tertulia_worker;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON moderation_log
  FOR EACH ROW
  EXECUTE FUNCTION refuse_change_of_moderation_log();

-- refuse_change_of_moderation_log(), owned by tertulia_owner
CREATE OR REPLACE FUNCTION public.refuse_change_of_moderation_log()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  raise exception 'the moderation log is append-only';
end
$function$;

-- notifications -------------------------------------------------------------------------------------------------------

CREATE TABLE notifications (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  actor_id uuid,
  actors uuid[] NOT NULL,
  actor_count integer NOT NULL DEFAULT 1,
  text text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  read_at timestamp with time zone,
  reason text,
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT notifications_pkey PRIMARY KEY (id)
) WITH (fillfactor=70);

-- Referred to by push_queue (notification_id), deleted with its rows

CREATE INDEX notifications_unread ON notifications USING btree (user_id, created_at DESC, id DESC) WHERE read_at IS NULL;
CREATE INDEX notifications_user_id_created_at_id_idx ON notifications USING btree (user_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX notifications_unread_group ON notifications USING btree (user_id, kind, subject_id) WHERE read_at IS NULL;

ALTER TABLE notifications ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON notifications FOR SELECT TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY read_own ON notifications FOR UPDATE TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY triggers ON notifications TO tertulia_trigger
  USING (true);
CREATE POLICY accounts ON notifications TO tertulia_worker
  USING (true);

GRANT SELECT ON notifications TO tertulia_server;
GRANT UPDATE (read_at) ON notifications TO tertulia_server;
GRANT DELETE, INSERT, SELECT, UPDATE ON notifications TO tertulia_trigger;
GRANT DELETE, SELECT ON notifications TO tertulia_worker;
GRANT UPDATE (user_id) ON notifications TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON notifications
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

CREATE TRIGGER keep_log_order BEFORE UPDATE ON notifications
  FOR EACH ROW
  EXECUTE FUNCTION keep_log_order();

-- keep_log_order(): see comments

CREATE TRIGGER log_update AFTER UPDATE ON notifications
  FOR EACH ROW
  WHEN (CURRENT_USER <> 'tertulia_trigger'::name)
  EXECUTE FUNCTION log_notification_update();

-- log_notification_update(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.log_notification_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into change_log (xid, type, object_id, before, after)
  values (new.changed_in, 'notification', new.id,
    row(new.user_id, case when old.read_at is null then 'UNREAD' else 'READ' end, null, null, null, null)::change_state,
    row(new.user_id, case when new.read_at is null then 'UNREAD' else 'READ' end,
      null, null, null, null)::change_state);
  return null;
end
$function$;

-- one_time_tokens -----------------------------------------------------------------------------------------------------

CREATE TABLE one_time_tokens (
  hash bytea NOT NULL,
  user_id uuid NOT NULL,
  purpose text NOT NULL,
  email text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT one_time_tokens_pkey PRIMARY KEY (hash),
  CONSTRAINT one_time_tokens_purpose_check CHECK (purpose = ANY (ARRAY['CONFIRM_EMAIL'::text, 'RESET_PASSWORD'::text])),
  CONSTRAINT one_time_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX one_time_tokens_expires_at_idx ON one_time_tokens USING btree (expires_at);
CREATE INDEX one_time_tokens_user_id_idx ON one_time_tokens USING btree (user_id);

ALTER TABLE one_time_tokens ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY accounts ON one_time_tokens TO tertulia_worker
  USING (true);

GRANT DELETE, INSERT, SELECT ON one_time_tokens TO tertulia_worker;

-- outbox --------------------------------------------------------------------------------------------------------------

CREATE TABLE outbox (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  notified_up_to uuid,
  CONSTRAINT outbox_pkey PRIMARY KEY (id)
);

CREATE INDEX outbox_of_events ON outbox USING btree (id) WHERE kind = ANY (ARRAY['EVENT_CHANGED'::text, 'EVENT_CANCELLED'::text]);

ALTER TABLE outbox ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY work ON outbox TO tertulia_trigger
  USING (true)
  WITH CHECK (true);

GRANT DELETE, INSERT, SELECT, UPDATE ON outbox TO tertulia_trigger;

-- outbox_position -----------------------------------------------------------------------------------------------------

CREATE TABLE outbox_position (
  xid xid8 NOT NULL,
  id bigint NOT NULL
);

ALTER TABLE outbox_position ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY work ON outbox_position TO tertulia_trigger
  USING (true)
  WITH CHECK (true);

GRANT INSERT, SELECT, UPDATE ON outbox_position TO tertulia_trigger;

-- push_devices --------------------------------------------------------------------------------------------------------

CREATE TABLE push_devices (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  transport text NOT NULL,
  address text NOT NULL,
  topic text NOT NULL DEFAULT ''::text,
  sandbox boolean NOT NULL DEFAULT false,
  p256dh bytea,
  auth bytea,
  created_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  session_id uuid,
  ends_at timestamp with time zone,
  CONSTRAINT push_devices_pkey PRIMARY KEY (id),
  CONSTRAINT push_devices_address_topic_key UNIQUE (address, topic),
  CONSTRAINT push_devices_check CHECK ((transport = 'WEB_PUSH'::text) = (p256dh IS NOT NULL AND auth IS NOT NULL)),
  CONSTRAINT push_devices_transport_check CHECK (transport = ANY (ARRAY['WEB_PUSH'::text, 'APNS'::text])),
  CONSTRAINT push_devices_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  CONSTRAINT push_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Referred to by push_queue (device_id), deleted with its rows

CREATE INDEX push_devices_created_at_idx ON push_devices USING btree (created_at) WHERE session_id IS NULL;
CREATE INDEX push_devices_session_id_idx ON push_devices USING btree (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX push_devices_user_id_idx ON push_devices USING btree (user_id);

ALTER TABLE push_devices ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY delete_own ON push_devices FOR DELETE TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY own ON push_devices FOR SELECT TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY triggers ON push_devices TO tertulia_trigger
  USING (true);
CREATE POLICY push ON push_devices TO tertulia_worker
  USING (true);

GRANT DELETE, SELECT ON push_devices TO tertulia_server;
GRANT DELETE, INSERT, SELECT, UPDATE ON push_devices TO tertulia_trigger;
GRANT DELETE, SELECT ON push_devices TO tertulia_worker;
GRANT UPDATE (user_id, session_id) ON push_devices TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON push_devices
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

-- push_queue ----------------------------------------------------------------------------------------------------------

CREATE TABLE push_queue (
  device_id uuid NOT NULL,
  notification_id uuid NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone NOT NULL DEFAULT now(),
  told_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  message_number bigint,
  CONSTRAINT push_queue_pkey PRIMARY KEY (device_id, notification_id),
  CONSTRAINT push_queue_device_id_fkey FOREIGN KEY (device_id) REFERENCES push_devices(id) ON DELETE CASCADE,
  CONSTRAINT push_queue_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES notifications(id) ON DELETE CASCADE
);

CREATE INDEX push_queue_due_at_idx ON push_queue USING btree (due_at);
CREATE INDEX push_queue_notification_id_idx ON push_queue USING btree (notification_id);

ALTER TABLE push_queue ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY triggers ON push_queue TO tertulia_trigger
  USING (true);
CREATE POLICY push ON push_queue TO tertulia_worker
  USING (true);

GRANT INSERT, SELECT, UPDATE ON push_queue TO tertulia_trigger;
GRANT DELETE, SELECT, UPDATE ON push_queue TO tertulia_worker;

-- push_receipts -------------------------------------------------------------------------------------------------------

CREATE TABLE push_receipts (
  session_id uuid NOT NULL,
  subject_id uuid NOT NULL,
  up_to bigint NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT push_receipts_pkey PRIMARY KEY (session_id, subject_id)
);

CREATE INDEX push_receipts_at_idx ON push_receipts USING btree (at);

ALTER TABLE push_receipts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY note ON push_receipts TO tertulia_trigger
  USING (true);
CREATE POLICY push ON push_receipts TO tertulia_worker
  USING (true);

GRANT INSERT, SELECT, UPDATE ON push_receipts TO tertulia_trigger;
GRANT DELETE, SELECT ON push_receipts TO tertulia_worker;

-- rate_limits ---------------------------------------------------------------------------------------------------------

CREATE TABLE rate_limits (
  key text NOT NULL,
  tokens double precision NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT rate_limits_pkey PRIMARY KEY (key)
);

ALTER TABLE rate_limits ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY buckets ON rate_limits TO tertulia_worker
  USING (true);

GRANT DELETE, INSERT, SELECT, UPDATE ON rate_limits TO tertulia_worker;

-- released_image_contents ---------------------------------------------------------------------------------------------

CREATE TABLE released_image_contents (
  sha256 bytea NOT NULL,
  CONSTRAINT released_image_contents_pkey PRIMARY KEY (sha256)
);

ALTER TABLE released_image_contents ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY store ON released_image_contents TO tertulia_trigger
  USING (true);

GRANT DELETE, INSERT, SELECT, UPDATE ON released_image_contents TO tertulia_trigger;

-- report_images -------------------------------------------------------------------------------------------------------

CREATE TABLE report_images (
  id uuid NOT NULL DEFAULT uuid_v7(),
  report_id uuid NOT NULL,
  image_id uuid NOT NULL,
  sha256 bytea NOT NULL,
  mime_type text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  byte_size integer NOT NULL,
  CONSTRAINT report_images_pkey PRIMARY KEY (id),
  CONSTRAINT report_images_report_id_image_id_key UNIQUE (report_id, image_id),
  CONSTRAINT report_images_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE CASCADE,
  CONSTRAINT report_images_sha256_fkey FOREIGN KEY (sha256) REFERENCES image_contents(sha256)
);

CREATE INDEX report_images_sha256_idx ON report_images USING btree (sha256);

ALTER TABLE report_images ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY moderation ON report_images FOR SELECT TO tertulia_server
  USING (( SELECT viewer_is_moderator() AS viewer_is_moderator));
CREATE POLICY evidence ON report_images TO tertulia_trigger
  USING (true);
CREATE POLICY serving ON report_images FOR SELECT TO tertulia_worker
  USING (true);

GRANT SELECT ON report_images TO tertulia_server;
GRANT DELETE, INSERT, SELECT ON report_images TO tertulia_trigger;
GRANT SELECT ON report_images TO tertulia_worker;

CREATE TRIGGER release_contents AFTER DELETE ON report_images
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION release_image_contents();

-- release_image_contents(): see images

-- reports -------------------------------------------------------------------------------------------------------------

CREATE TABLE reports (
  id uuid NOT NULL,
  reporter_id uuid,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  reason text NOT NULL,
  note text,
  status text NOT NULL DEFAULT 'OPEN'::text,
  created_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  resolved_by uuid,
  resolved_at timestamp with time zone,
  CONSTRAINT reports_pkey PRIMARY KEY (id),
  CONSTRAINT reports_check CHECK ((status = 'OPEN'::text) = (resolved_at IS NULL)),
  CONSTRAINT reports_reason_check CHECK (reason = ANY (ARRAY['SPAM'::text, 'HARASSMENT'::text, 'VIOLENCE'::text, 'SEXUAL_CONTENT'::text, 'OTHER'::text])),
  CONSTRAINT reports_status_check CHECK (status = ANY (ARRAY['OPEN'::text, 'DISMISSED'::text, 'CONTENT_REMOVED'::text])),
  CONSTRAINT reports_subject_type_check CHECK (subject_type = ANY (ARRAY['thought'::text, 'comment'::text, 'event'::text, 'user'::text])),
  CONSTRAINT reports_reporter_id_fkey FOREIGN KEY (reporter_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT reports_resolved_by_fkey FOREIGN KEY (resolved_by) REFERENCES users(id) ON DELETE SET NULL
);

-- Referred to by report_images (report_id), deleted with its rows

CREATE INDEX reports_of_status ON reports USING btree (status, created_at, id);
CREATE INDEX reports_of_subject ON reports USING btree (subject_id) WHERE status = 'OPEN'::text;
CREATE INDEX reports_reporter_id_idx ON reports USING btree (reporter_id) WHERE reporter_id IS NOT NULL;
CREATE INDEX reports_resolved_by_idx ON reports USING btree (resolved_by) WHERE resolved_by IS NOT NULL;
CREATE UNIQUE INDEX reports_open ON reports USING btree (reporter_id, subject_id) WHERE status = 'OPEN'::text;

ALTER TABLE reports ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY create_own ON reports FOR INSERT TO tertulia_server
  WITH CHECK (reporter_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY visible ON reports FOR SELECT TO tertulia_server
  USING (reporter_id = (( SELECT viewer_id() AS viewer_id)) OR ( SELECT viewer_is_moderator() AS viewer_is_moderator));
CREATE POLICY moderation ON reports TO tertulia_trigger
  USING (true);

GRANT INSERT (id, reporter_id, subject_type, subject_id, reason, note) ON reports TO tertulia_server;
GRANT SELECT ON reports TO tertulia_server;
GRANT SELECT ON reports TO tertulia_trigger;
GRANT UPDATE (status, resolved_by, resolved_at) ON reports TO tertulia_trigger;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON reports
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

CREATE TRIGGER release_images AFTER UPDATE OF status ON reports
  FOR EACH ROW
  WHEN (old.status = 'OPEN'::text AND new.status <> 'OPEN'::text)
  EXECUTE FUNCTION release_report_images();

-- release_report_images(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.release_report_images()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from report_images where report_id = new.id;
  return null;
end
$function$;

-- revoked_sessions ----------------------------------------------------------------------------------------------------

CREATE TABLE revoked_sessions (
  session_id uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT revoked_sessions_pkey PRIMARY KEY (session_id)
);

ALTER TABLE revoked_sessions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY accounts ON revoked_sessions TO tertulia_worker
  USING (true);

GRANT DELETE, INSERT, SELECT ON revoked_sessions TO tertulia_worker;

-- schema_migrations ---------------------------------------------------------------------------------------------------

CREATE TABLE schema_migrations (
  version bigint NOT NULL,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  duration interval NOT NULL,
  compatibility integer,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (version)
);

GRANT SELECT ON schema_migrations TO tertulia_worker;

-- search_entries ------------------------------------------------------------------------------------------------------

CREATE TABLE search_entries (
  id uuid NOT NULL,
  kind text NOT NULL,
  at timestamp with time zone NOT NULL,
  words tsvector NOT NULL,
  CONSTRAINT search_entries_pkey PRIMARY KEY (id)
);

CREATE INDEX search_entries_by_time ON search_entries USING btree (at);
CREATE INDEX search_entries_newest ON search_entries USING btree (kind, at DESC, id DESC);
CREATE INDEX search_entries_of_events ON search_entries USING gin (words) WITH (gin_pending_list_limit='16384') WHERE kind = 'EVENT'::text;
CREATE INDEX search_entries_of_people ON search_entries USING gin (words) WITH (gin_pending_list_limit='16384') WHERE kind = 'USER'::text;
CREATE INDEX search_entries_of_thoughts ON search_entries USING gin (words) WITH (gin_pending_list_limit='16384') WHERE kind = 'THOUGHT'::text;

ALTER TABLE search_entries ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY published ON search_entries FOR SELECT TO tertulia_server
  USING (true);
CREATE POLICY entries ON search_entries TO tertulia_trigger
  USING (true);

GRANT SELECT ON search_entries TO tertulia_server;
GRANT DELETE, INSERT, SELECT, UPDATE ON search_entries TO tertulia_trigger;

-- search_vocabulary ---------------------------------------------------------------------------------------------------

CREATE TABLE search_vocabulary (
  word text NOT NULL,
  round bigint NOT NULL,
  CONSTRAINT search_vocabulary_pkey PRIMARY KEY (word)
);

CREATE INDEX search_vocabulary_of_round ON search_vocabulary USING btree (round);
CREATE INDEX search_vocabulary_of_variants ON search_vocabulary USING gin (search_variants(word)) WITH (fastupdate=off);

ALTER TABLE search_vocabulary ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY published ON search_vocabulary FOR SELECT TO tertulia_server
  USING (true);
CREATE POLICY words ON search_vocabulary TO tertulia_trigger
  USING (true);

GRANT SELECT ON search_vocabulary TO tertulia_server;
GRANT DELETE, INSERT, SELECT, UPDATE ON search_vocabulary TO tertulia_trigger;

-- search_walk ---------------------------------------------------------------------------------------------------------

CREATE TABLE search_walk (
  is_only boolean NOT NULL DEFAULT true,
  round bigint NOT NULL,
  after uuid,
  ended_at timestamp with time zone,
  newest_at timestamp with time zone NOT NULL,
  is_spelling boolean NOT NULL DEFAULT false,
  spelled_from xid8,
  spelled_after uuid,
  CONSTRAINT search_walk_pkey PRIMARY KEY (is_only),
  CONSTRAINT search_walk_is_only_check CHECK (is_only)
);

ALTER TABLE search_walk ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY walk ON search_walk TO tertulia_trigger
  USING (true);

GRANT INSERT, SELECT, UPDATE ON search_walk TO tertulia_trigger;

-- sessions ------------------------------------------------------------------------------------------------------------

CREATE TABLE sessions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp with time zone NOT NULL DEFAULT now(),
  user_agent text,
  ip_address inet,
  family bytea NOT NULL,
  current_hash bytea NOT NULL,
  parent_hash bytea,
  rotated_at timestamp with time zone NOT NULL DEFAULT now(),
  revoked_at timestamp with time zone,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_family_key UNIQUE (family),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Referred to by push_devices (session_id), deleted with its rows

CREATE INDEX sessions_created_at_idx ON sessions USING btree (created_at);
CREATE INDEX sessions_revoked_at_idx ON sessions USING btree (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX sessions_user_id_created_at_idx ON sessions USING btree (user_id, created_at);

ALTER TABLE sessions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON sessions FOR SELECT TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY registrations ON sessions TO tertulia_trigger
  USING (true);
CREATE POLICY accounts ON sessions TO tertulia_worker
  USING (true);

GRANT SELECT (id, user_id, created_at, last_used_at, user_agent, ip_address, rotated_at, revoked_at) ON sessions TO tertulia_server;
GRANT SELECT (id, user_id, revoked_at) ON sessions TO tertulia_trigger;
GRANT UPDATE (revoked_at) ON sessions TO tertulia_trigger;
GRANT DELETE, INSERT, SELECT, UPDATE ON sessions TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT ON sessions
  FOR EACH ROW
  EXECUTE FUNCTION refuse_session_of_suspended();

-- refuse_session_of_suspended(), owned by tertulia_trigger
-- calls refuse_suspended(uuid)
CREATE OR REPLACE FUNCTION public.refuse_session_of_suspended()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform from users where id = new.user_id for key share;
  perform refuse_suspended(new.user_id);
  return new;
end
$function$;

CREATE TRIGGER end_push_registrations AFTER UPDATE OF revoked_at ON sessions
  FOR EACH ROW
  WHEN (old.revoked_at IS NULL AND new.revoked_at IS NOT NULL)
  EXECUTE FUNCTION end_push_registrations();

-- end_push_registrations(), owned by tertulia_trigger
-- called by tertulia_owner
CREATE OR REPLACE FUNCTION public.end_push_registrations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from push_devices where session_id = new.id;
  return null;
end
$function$;

-- sign_in_attempts ----------------------------------------------------------------------------------------------------

CREATE TABLE sign_in_attempts (
  login_hash bytea NOT NULL,
  failures integer NOT NULL,
  last_at timestamp with time zone NOT NULL,
  CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (login_hash)
);

CREATE INDEX sign_in_attempts_last_at_idx ON sign_in_attempts USING btree (last_at);

ALTER TABLE sign_in_attempts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY attempts ON sign_in_attempts TO tertulia_worker
  USING (true);

GRANT DELETE, INSERT, SELECT, UPDATE ON sign_in_attempts TO tertulia_worker;

-- suspensions ---------------------------------------------------------------------------------------------------------

CREATE TABLE suspensions (
  user_id uuid NOT NULL,
  until timestamp with time zone NOT NULL,
  reason text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  CONSTRAINT suspensions_pkey PRIMARY KEY (user_id),
  CONSTRAINT suspensions_reason_check CHECK (reason = ANY (ARRAY['SPAM'::text, 'HARASSMENT'::text, 'VIOLENCE'::text, 'SEXUAL_CONTENT'::text, 'OTHER'::text])),
  CONSTRAINT suspensions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

ALTER TABLE suspensions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY moderation ON suspensions FOR SELECT TO tertulia_server
  USING (( SELECT viewer_is_moderator() AS viewer_is_moderator));
CREATE POLICY refuse ON suspensions FOR SELECT TO tertulia_trigger
  USING (true);
CREATE POLICY suspend ON suspensions TO tertulia_worker
  USING (true);

GRANT SELECT ON suspensions TO tertulia_server;
GRANT SELECT ON suspensions TO tertulia_trigger;
GRANT DELETE, INSERT, SELECT, UPDATE ON suspensions TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON suspensions
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

-- thought_likes -------------------------------------------------------------------------------------------------------

CREATE TABLE thought_likes (
  thought_id uuid NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  CONSTRAINT thought_likes_pkey PRIMARY KEY (thought_id, user_id),
  CONSTRAINT thought_likes_thought_id_fkey FOREIGN KEY (thought_id) REFERENCES thoughts(id) ON DELETE CASCADE,
  CONSTRAINT thought_likes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX thought_likes_thought_id_created_at_user_id_idx ON thought_likes USING btree (thought_id, created_at DESC, user_id DESC);
CREATE INDEX thought_likes_user_id_created_at_thought_id_idx ON thought_likes USING btree (user_id, created_at DESC, thought_id DESC);

ALTER TABLE thought_likes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY create_own ON thought_likes FOR INSERT TO tertulia_server
  WITH CHECK (user_id = (( SELECT viewer_id() AS viewer_id)) AND (EXISTS ( SELECT
   FROM thoughts t
  WHERE t.id = thought_likes.thought_id)));
CREATE POLICY delete_own ON thought_likes FOR DELETE TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY not_deleted ON thought_likes AS RESTRICTIVE FOR SELECT TO tertulia_server
  USING (NOT (EXISTS ( SELECT
   FROM deleted_accounts)) OR NOT is_being_deleted(user_id));
CREATE POLICY not_hidden ON thought_likes AS RESTRICTIVE FOR SELECT TO tertulia_server
  USING (COALESCE(user_id <> ALL ((( SELECT listed_hidden_ids() AS listed_hidden_ids))::uuid[]), NOT viewer_hides(user_id)));
CREATE POLICY visible ON thought_likes FOR SELECT TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)) OR thought_is_visible(thought_id));
CREATE POLICY locks ON thought_likes FOR SELECT TO tertulia_trigger
  USING (true);
CREATE POLICY accounts ON thought_likes TO tertulia_worker
  USING (true);

GRANT DELETE, SELECT ON thought_likes TO tertulia_server;
GRANT INSERT (thought_id, user_id) ON thought_likes TO tertulia_server;
GRANT SELECT ON thought_likes TO tertulia_trigger;
GRANT DELETE, SELECT ON thought_likes TO tertulia_worker;
GRANT UPDATE (user_id) ON thought_likes TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON thought_likes
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

CREATE TRIGGER count_insert AFTER INSERT ON thought_likes
  FOR EACH ROW
  EXECUTE FUNCTION count_thought_like();

-- count_thought_like(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.count_thought_like()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  with counted as (
    update thoughts set like_count = like_count + 1,
      changed_in = greatest(changed_in, pg_current_xact_id())
    where id = new.thought_id
    returning changed_in, row(author_id, status, category, null, null, null)::change_state as state
  )
  insert into change_log (xid, type, object_id, before, after, counters_only)
  select changed_in, 'thought', new.thought_id, state, state, true from counted;
  return null;
end
$function$;

CREATE TRIGGER enqueue AFTER INSERT ON thought_likes
  FOR EACH ROW
  EXECUTE FUNCTION enqueue_thought_mark('LIKE');

-- enqueue_thought_mark(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.enqueue_thought_mark()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if current_setting('app.import', true) = 'on' then
    return null;
  end if;
  insert into outbox (kind, subject_type, subject_id, actor_id)
  values (tg_argv[0], 'thought', new.thought_id, new.user_id);
  return null;
end
$function$;

CREATE TRIGGER count_delete AFTER DELETE ON thought_likes
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_removed_likes();

-- count_removed_likes(), owned by tertulia_trigger
-- calls add_to_like_count(uuid,integer)
CREATE OR REPLACE FUNCTION public.count_removed_likes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform add_to_like_count(thought_id, -n) from (
    select thought_id, count(*)::integer as n from changed group by 1 order by 1
  ) as thoughts;
  return null;
end
$function$;

-- add_to_like_count(uuid,integer), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.add_to_like_count(thought uuid, step integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  with counted as (
    update thoughts set like_count = like_count + step,
      changed_in = greatest(changed_in, pg_current_xact_id())
    where id = thought
    returning changed_in, id, row(author_id, status, category, null, null, null)::change_state as state
  )
  insert into change_log (xid, type, object_id, before, after, counters_only)
  select changed_in, 'thought', id, state, state, true from counted;
end
$function$;

-- thought_ranks -------------------------------------------------------------------------------------------------------

CREATE TABLE thought_ranks (
  thought_id uuid NOT NULL,
  kind text NOT NULL,
  rank integer NOT NULL,
  CONSTRAINT thought_ranks_pkey PRIMARY KEY (thought_id, kind)
);

CREATE INDEX thought_ranks_order ON thought_ranks USING btree (kind, rank DESC, thought_id DESC);

ALTER TABLE thought_ranks ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY visible ON thought_ranks FOR SELECT TO tertulia_server
  USING (( SELECT true
   FROM thoughts t
  WHERE t.id = thought_ranks.thought_id));
CREATE POLICY publish ON thought_ranks FOR INSERT TO tertulia_trigger
  WITH CHECK (true);
CREATE POLICY publication ON thought_ranks FOR SELECT TO tertulia_trigger
  USING (true);
CREATE POLICY refresh ON thought_ranks TO tertulia_worker
  USING (true);

GRANT SELECT ON thought_ranks TO tertulia_server;
GRANT INSERT, SELECT ON thought_ranks TO tertulia_trigger;
GRANT DELETE, INSERT, SELECT, UPDATE ON thought_ranks TO tertulia_worker;

-- thought_ranks_position ----------------------------------------------------------------------------------------------

CREATE TABLE thought_ranks_position (
  xid xid8 NOT NULL,
  id bigint NOT NULL,
  claimed_at timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone
);

ALTER TABLE thought_ranks_position ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY refresh ON thought_ranks_position TO tertulia_worker
  USING (true);

GRANT INSERT, SELECT, UPDATE ON thought_ranks_position TO tertulia_worker;

-- thought_ratings -----------------------------------------------------------------------------------------------------

CREATE TABLE thought_ratings (
  thought_id uuid NOT NULL,
  user_id uuid NOT NULL,
  stars integer NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  CONSTRAINT thought_ratings_pkey PRIMARY KEY (thought_id, user_id),
  CONSTRAINT thought_ratings_stars_check CHECK (stars >= 1 AND stars <= 5),
  CONSTRAINT thought_ratings_thought_id_fkey FOREIGN KEY (thought_id) REFERENCES thoughts(id) ON DELETE CASCADE,
  CONSTRAINT thought_ratings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX thought_ratings_created ON thought_ratings USING brin (created_at) WITH (autosummarize='on');
CREATE INDEX thought_ratings_user_id_idx ON thought_ratings USING btree (user_id);

ALTER TABLE thought_ratings ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY create_own ON thought_ratings FOR INSERT TO tertulia_server
  WITH CHECK (user_id = (( SELECT viewer_id() AS viewer_id)) AND (EXISTS ( SELECT
   FROM thoughts t
  WHERE t.id = thought_ratings.thought_id)));
CREATE POLICY delete_own ON thought_ratings FOR DELETE TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY own ON thought_ratings FOR SELECT TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY update_own ON thought_ratings FOR UPDATE TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)))
  WITH CHECK (user_id = (( SELECT viewer_id() AS viewer_id)) AND (EXISTS ( SELECT
   FROM thoughts t
  WHERE t.id = thought_ratings.thought_id)));
CREATE POLICY locks ON thought_ratings FOR SELECT TO tertulia_trigger
  USING (true);
CREATE POLICY accounts ON thought_ratings TO tertulia_worker
  USING (true);

GRANT DELETE, SELECT ON thought_ratings TO tertulia_server;
GRANT INSERT (thought_id, user_id, stars) ON thought_ratings TO tertulia_server;
GRANT UPDATE (stars) ON thought_ratings TO tertulia_server;
GRANT SELECT ON thought_ratings TO tertulia_trigger;
GRANT DELETE, SELECT ON thought_ratings TO tertulia_worker;
GRANT UPDATE (user_id) ON thought_ratings TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON thought_ratings
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

CREATE TRIGGER enqueue AFTER INSERT ON thought_ratings
  FOR EACH ROW
  EXECUTE FUNCTION enqueue_thought_mark('RATING');

-- enqueue_thought_mark(): see thought_likes

CREATE TRIGGER count_delete AFTER DELETE ON thought_ratings
  REFERENCING OLD TABLE AS changed_from
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_thought_ratings();

-- count_thought_ratings(), owned by tertulia_trigger
-- calls add_to_mark_counts(uuid,integer,integer,integer,integer)
CREATE OR REPLACE FUNCTION public.count_thought_ratings()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    perform add_to_mark_counts(thought_id, 0, 0, n, stars) from (
      select thought_id, count(*)::integer as n, sum(stars)::integer as stars
      from changed_to group by 1 order by 1
    ) as thoughts;
  elsif tg_op = 'DELETE' then
    perform add_to_mark_counts(thought_id, 0, 0, -n, -stars) from (
      select thought_id, count(*)::integer as n, sum(stars)::integer as stars
      from changed_from group by 1 order by 1
    ) as thoughts;
  else
    perform add_to_mark_counts(thought_id, 0, 0, 0, stars) from (
      select thought_id, sum(n.stars - o.stars)::integer as stars
      from changed_to n join changed_from o using (thought_id, user_id)
      where n.stars <> o.stars group by 1 order by 1
    ) as thoughts;
  end if;
  return null;
end
$function$;

-- add_to_mark_counts(uuid,integer,integer,integer,integer), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.add_to_mark_counts(thought uuid, saves integer, shares integer, ratings integer, stars integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  with counted as (
    update thoughts set save_count = save_count + saves, share_count = share_count + shares,
      rating_count = rating_count + ratings, rating_total = rating_total + stars,
      changed_in = greatest(changed_in, pg_current_xact_id())
    where id = thought
    returning changed_in, id, row(author_id, status, category, null, null, null)::change_state as state
  )
  insert into change_log (xid, type, object_id, before, after, counters_only)
  select changed_in, 'thought', id, state, state, true from counted;
end
$function$;

CREATE TRIGGER count_insert AFTER INSERT ON thought_ratings
  REFERENCING NEW TABLE AS changed_to
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_thought_ratings();

CREATE TRIGGER count_update AFTER UPDATE ON thought_ratings
  REFERENCING OLD TABLE AS changed_from NEW TABLE AS changed_to
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_thought_ratings();

-- thought_saves -------------------------------------------------------------------------------------------------------

CREATE TABLE thought_saves (
  thought_id uuid NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  CONSTRAINT thought_saves_pkey PRIMARY KEY (thought_id, user_id),
  CONSTRAINT thought_saves_thought_id_fkey FOREIGN KEY (thought_id) REFERENCES thoughts(id) ON DELETE CASCADE,
  CONSTRAINT thought_saves_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX thought_saves_user_id_created_at_thought_id_idx ON thought_saves USING btree (user_id, created_at DESC, thought_id DESC);

ALTER TABLE thought_saves ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY create_own ON thought_saves FOR INSERT TO tertulia_server
  WITH CHECK (user_id = (( SELECT viewer_id() AS viewer_id)) AND (EXISTS ( SELECT
   FROM thoughts t
  WHERE t.id = thought_saves.thought_id)));
CREATE POLICY delete_own ON thought_saves FOR DELETE TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY own ON thought_saves FOR SELECT TO tertulia_server
  USING (user_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY locks ON thought_saves FOR SELECT TO tertulia_trigger
  USING (true);
CREATE POLICY accounts ON thought_saves TO tertulia_worker
  USING (true);

GRANT DELETE, SELECT ON thought_saves TO tertulia_server;
GRANT INSERT (thought_id, user_id) ON thought_saves TO tertulia_server;
GRANT SELECT ON thought_saves TO tertulia_trigger;
GRANT DELETE, SELECT ON thought_saves TO tertulia_worker;
GRANT UPDATE (user_id) ON thought_saves TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON thought_saves
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

CREATE TRIGGER count_delete AFTER DELETE ON thought_saves
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_thought_saves();

-- count_thought_saves(), owned by tertulia_trigger
-- calls add_to_mark_counts(uuid,integer,integer,integer,integer)
CREATE OR REPLACE FUNCTION public.count_thought_saves()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform add_to_mark_counts(thought_id, case tg_op when 'INSERT' then n else -n end, 0, 0, 0) from (
    select thought_id, count(*)::integer as n from changed group by 1 order by 1
  ) as thoughts;
  return null;
end
$function$;

-- add_to_mark_counts(uuid,integer,integer,integer,integer): see thought_ratings

CREATE TRIGGER count_insert AFTER INSERT ON thought_saves
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_thought_saves();

-- thought_shares ------------------------------------------------------------------------------------------------------

CREATE TABLE thought_shares (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id uuid,
  thought_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  CONSTRAINT thought_shares_pkey PRIMARY KEY (id),
  CONSTRAINT thought_shares_thought_id_fkey FOREIGN KEY (thought_id) REFERENCES thoughts(id) ON DELETE CASCADE,
  CONSTRAINT thought_shares_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);

CREATE INDEX thought_shares_thought_id_idx ON thought_shares USING btree (thought_id);
CREATE INDEX thought_shares_user_id_idx ON thought_shares USING btree (user_id) WHERE user_id IS NOT NULL;

ALTER TABLE thought_shares ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY create_own ON thought_shares FOR INSERT TO tertulia_server
  WITH CHECK (user_id = (( SELECT viewer_id() AS viewer_id)) AND (EXISTS ( SELECT
   FROM thoughts t
  WHERE t.id = thought_shares.thought_id AND t.status = 'PUBLISHED'::text)));
CREATE POLICY audit ON thought_shares FOR SELECT TO tertulia_trigger
  USING (true);
CREATE POLICY accounts ON thought_shares TO tertulia_worker
  USING (true);

GRANT INSERT (user_id, thought_id) ON thought_shares TO tertulia_server;
GRANT SELECT ON thought_shares TO tertulia_trigger;
GRANT DELETE, SELECT ON thought_shares TO tertulia_worker;
GRANT UPDATE (user_id) ON thought_shares TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON thought_shares
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

CREATE TRIGGER count_delete AFTER DELETE ON thought_shares
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_thought_shares();

-- count_thought_shares(), owned by tertulia_trigger
-- calls add_to_mark_counts(uuid,integer,integer,integer,integer)
CREATE OR REPLACE FUNCTION public.count_thought_shares()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform add_to_mark_counts(thought_id, 0, case tg_op when 'INSERT' then n else -n end, 0, 0) from (
    select thought_id, count(*)::integer as n from changed group by 1 order by 1
  ) as thoughts;
  return null;
end
$function$;

-- add_to_mark_counts(uuid,integer,integer,integer,integer): see thought_ratings

CREATE TRIGGER count_insert AFTER INSERT ON thought_shares
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_thought_shares();

-- thoughts ------------------------------------------------------------------------------------------------------------

CREATE TABLE thoughts (
  id uuid NOT NULL,
  author_id uuid NOT NULL,
  category text NOT NULL,
  title text,
  text text NOT NULL,
  image_id uuid,
  status text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  published_at timestamp with time zone,
  updated_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
  like_count integer NOT NULL DEFAULT 0,
  comment_count integer NOT NULL DEFAULT 0,
  save_count integer NOT NULL DEFAULT 0,
  share_count integer NOT NULL DEFAULT 0,
  rating_count integer NOT NULL DEFAULT 0,
  rating_total integer NOT NULL DEFAULT 0,
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT thoughts_pkey PRIMARY KEY (id),
  CONSTRAINT thoughts_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT thoughts_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id) ON DELETE SET NULL
) WITH (fillfactor=85);

-- Referred to by comments (thought_id), deleted with its rows
-- Referred to by thought_likes (thought_id), deleted with its rows
-- Referred to by thought_ratings (thought_id), deleted with its rows
-- Referred to by thought_saves (thought_id), deleted with its rows
-- Referred to by thought_shares (thought_id), deleted with its rows

CREATE INDEX thoughts_newest ON thoughts USING btree (published_at DESC, id DESC) WHERE status = 'PUBLISHED'::text;
CREATE INDEX thoughts_newest_of_author ON thoughts USING btree (author_id, published_at DESC, id DESC) WHERE status = 'PUBLISHED'::text;
CREATE INDEX thoughts_newest_of_category ON thoughts USING btree (category, published_at DESC, id DESC) WHERE status = 'PUBLISHED'::text;
CREATE INDEX thoughts_of_author ON thoughts USING btree (author_id, created_at DESC, id DESC);
CREATE INDEX thoughts_of_image ON thoughts USING btree (image_id) WHERE image_id IS NOT NULL;

ALTER TABLE thoughts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY create_own ON thoughts FOR INSERT TO tertulia_server
  WITH CHECK (author_id = (( SELECT viewer_id() AS viewer_id)) AND ( SELECT viewer_is_member() AS viewer_is_member));
CREATE POLICY delete_own ON thoughts FOR DELETE TO tertulia_server
  USING (author_id = (( SELECT viewer_id() AS viewer_id)) OR ( SELECT viewer_is_moderator() AS viewer_is_moderator));
CREATE POLICY not_deleted ON thoughts AS RESTRICTIVE FOR SELECT TO tertulia_server
  USING (NOT (EXISTS ( SELECT
   FROM deleted_accounts)) OR NOT is_being_deleted(author_id));
CREATE POLICY not_hidden ON thoughts AS RESTRICTIVE FOR SELECT TO tertulia_server
  USING (COALESCE(author_id <> ALL ((( SELECT listed_hidden_ids() AS listed_hidden_ids))::uuid[]), NOT viewer_hides(author_id)));
CREATE POLICY visible ON thoughts FOR SELECT TO tertulia_server
  USING (status = 'PUBLISHED'::text OR author_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY update_own ON thoughts FOR UPDATE TO tertulia_server
  USING (author_id = (( SELECT viewer_id() AS viewer_id)))
  WITH CHECK (author_id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY counters ON thoughts TO tertulia_trigger
  USING (true);
CREATE POLICY accounts ON thoughts TO tertulia_worker
  USING (true);

GRANT DELETE, SELECT ON thoughts TO tertulia_server;
GRANT INSERT (id, author_id, category, title, text, image_id, status, published_at) ON thoughts TO tertulia_server;
GRANT UPDATE (category, title, text, image_id, status, published_at, updated_at) ON thoughts TO tertulia_server;
GRANT DELETE, SELECT ON thoughts TO tertulia_trigger;
GRANT UPDATE (like_count, comment_count, save_count, share_count, rating_count, rating_total, changed_in) ON thoughts TO tertulia_trigger;
GRANT DELETE, SELECT ON thoughts TO tertulia_worker;
GRANT UPDATE (image_id) ON thoughts TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON thoughts
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

CREATE TRIGGER keep_log_order BEFORE UPDATE ON thoughts
  FOR EACH ROW
  WHEN (CURRENT_USER <> 'tertulia_trigger'::name)
  EXECUTE FUNCTION keep_log_order();

-- keep_log_order(): see comments

CREATE TRIGGER thoughts_category_check BEFORE INSERT OR UPDATE OF category ON thoughts
  FOR EACH ROW
  WHEN (new.category <> ALL (ARRAY['FUNNY'::text, 'SERIOUS'::text, 'CRAZY'::text]))
  EXECUTE FUNCTION violate_check('thoughts_category_check');

-- violate_check(), owned by tertulia_owner
CREATE OR REPLACE FUNCTION public.violate_check()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  raise check_violation using constraint = tg_argv[0], table = tg_table_name, schema = tg_table_schema,
    message = format('new row for relation "%s" violates check constraint "%s"', tg_table_name, tg_argv[0]);
end
$function$;

CREATE TRIGGER thoughts_check BEFORE INSERT OR UPDATE OF status, published_at ON thoughts
  FOR EACH ROW
  WHEN ((new.status = 'PUBLISHED'::text) <> (new.published_at IS NOT NULL))
  EXECUTE FUNCTION violate_check('thoughts_check');

CREATE TRIGGER thoughts_status_check BEFORE INSERT OR UPDATE OF status ON thoughts
  FOR EACH ROW
  WHEN (new.status <> ALL (ARRAY['DRAFT'::text, 'PUBLISHED'::text]))
  EXECUTE FUNCTION violate_check('thoughts_status_check');

CREATE TRIGGER enter_insert AFTER INSERT ON thoughts
  FOR EACH ROW
  WHEN (new.status = 'PUBLISHED'::text)
  EXECUTE FUNCTION enter_thought();

-- enter_thought(), owned by tertulia_trigger
-- calls search_words(text,text)
CREATE OR REPLACE FUNCTION public.enter_thought()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- search_words(text,text): see events

CREATE TRIGGER enter_update AFTER UPDATE OF title, text, status ON thoughts
  FOR EACH ROW
  EXECUTE FUNCTION enter_thought();

CREATE TRIGGER log_insert AFTER INSERT ON thoughts
  FOR EACH ROW
  EXECUTE FUNCTION log_thought_insert();

-- log_thought_insert(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.log_thought_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  filed xid8;
begin
  insert into change_log (xid, type, object_id, after)
  values (greatest(new.changed_in, (select changed_in from deleted_objects where id = new.id)), 'thought', new.id,
    row(new.author_id, new.status, new.category, null, null, null)::change_state)
  returning xid into filed;
  if filed > new.changed_in then
    update thoughts set changed_in = filed where id = new.id;
  end if;
  return null;
end
$function$;

CREATE TRIGGER log_update AFTER UPDATE ON thoughts
  FOR EACH ROW
  WHEN (CURRENT_USER <> 'tertulia_trigger'::name)
  EXECUTE FUNCTION log_thought_update();

-- log_thought_update(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.log_thought_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into change_log (xid, type, object_id, before, after)
  values (new.changed_in, 'thought', new.id,
    row(old.author_id, old.status, old.category, null, null, null)::change_state,
    row(new.author_id, new.status, new.category, null, null, null)::change_state);
  return null;
end
$function$;

CREATE TRIGGER rank_insert AFTER INSERT ON thoughts
  FOR EACH ROW
  WHEN (new.status = 'PUBLISHED'::text)
  EXECUTE FUNCTION rank_published_thought();

-- rank_published_thought(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.rank_published_thought()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into thought_ranks (thought_id, kind, rank) values
    (new.id, 'MOST_LIKED', new.like_count), (new.id, 'MOST_DISCUSSED', new.comment_count),
    (new.id, 'BEST_RATED', 1000 * (new.rating_total + 15) / (new.rating_count + 5))
  -- A thought that is published again before its ranks were deleted has them still.
  on conflict do nothing;
  return null;
end
$function$;

CREATE TRIGGER rank_publication AFTER UPDATE OF status ON thoughts
  FOR EACH ROW
  WHEN (new.status = 'PUBLISHED'::text AND old.status <> 'PUBLISHED'::text)
  EXECUTE FUNCTION rank_published_thought();

CREATE TRIGGER release_image_delete AFTER DELETE ON thoughts
  FOR EACH ROW
  WHEN (old.image_id IS NOT NULL)
  EXECUTE FUNCTION release_image();

-- release_image(): see events

CREATE TRIGGER release_image_update AFTER UPDATE OF image_id ON thoughts
  FOR EACH ROW
  WHEN (old.image_id IS DISTINCT FROM new.image_id)
  EXECUTE FUNCTION release_image();

-- release_image(): see events

CREATE TRIGGER delete_entries AFTER DELETE ON thoughts
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION delete_search_entries();

-- delete_search_entries(): see events

CREATE TRIGGER log_delete AFTER DELETE ON thoughts
  REFERENCING OLD TABLE AS changed_from
  FOR EACH STATEMENT
  EXECUTE FUNCTION log_thought_deletion();

-- log_thought_deletion(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.log_thought_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  with deleted as (
    insert into deleted_objects as d
    select id, greatest(changed_in, pg_current_xact_id()) from changed_from order by id
    on conflict (id) do update set changed_in = greatest(d.changed_in, excluded.changed_in)
    returning id, changed_in
  )
  insert into change_log (xid, type, object_id, before)
  select d.changed_in, 'thought', o.id, row(o.author_id, o.status, o.category, null, null, null)::change_state
  from changed_from o join deleted d using (id) order by o.id;
  return null;
end
$function$;

CREATE TRIGGER log_removal AFTER DELETE ON thoughts
  REFERENCING OLD TABLE AS changed_from
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION log_removal('thought');

-- log_removal(): see comments

-- users ---------------------------------------------------------------------------------------------------------------

CREATE TABLE users (
  id uuid NOT NULL,
  username text,
  display_name text NOT NULL,
  bio text,
  is_anonymous boolean NOT NULL DEFAULT false,
  role text NOT NULL DEFAULT 'MEMBER'::text,
  avatar_id uuid,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  name_skeleton text,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_username_key UNIQUE (username),
  CONSTRAINT users_role_check CHECK (role = ANY (ARRAY['MEMBER'::text, 'MODERATOR'::text, 'ADMIN'::text])),
  CONSTRAINT users_avatar_id_fkey FOREIGN KEY (avatar_id) REFERENCES images(id) ON DELETE SET NULL
);

-- Referred to by account_merges (source_id), deleted with its rows
-- Referred to by account_merges (target_id), deleted with its rows
-- Referred to by blocks (blocked_id), deleted with its rows
-- Referred to by blocks (blocker_id), deleted with its rows
-- Referred to by comments (author_id), deleted with its rows
-- Referred to by conversation_members (user_id), set null with its rows
-- Referred to by credentials (user_id), deleted with its rows
-- Referred to by deleted_accounts (user_id), deleted with its rows
-- Referred to by event_rsvps (user_id), deleted with its rows
-- Referred to by events (author_id), deleted with its rows
-- Referred to by hidden_people (viewer_id), deleted with its rows
-- Referred to by images (owner_id), deleted with its rows
-- Referred to by mails (user_id), deleted with its rows
-- Referred to by messages (author_id), set null with its rows
-- Referred to by one_time_tokens (user_id), deleted with its rows
-- Referred to by push_devices (user_id), deleted with its rows
-- Referred to by reports (reporter_id), set null with its rows
-- Referred to by reports (resolved_by), set null with its rows
-- Referred to by sessions (user_id), deleted with its rows
-- Referred to by suspensions (user_id), deleted with its rows
-- Referred to by thought_likes (user_id), deleted with its rows
-- Referred to by thought_ratings (user_id), deleted with its rows
-- Referred to by thought_saves (user_id), deleted with its rows
-- Referred to by thought_shares (user_id), set null with its rows
-- Referred to by thoughts (author_id), deleted with its rows

CREATE INDEX users_of_avatar ON users USING btree (avatar_id) WHERE avatar_id IS NOT NULL;
CREATE INDEX users_of_name_skeleton ON users USING btree (name_skeleton);
CREATE UNIQUE INDEX users_username_skeleton_key ON users USING btree (username_skeleton(username));

ALTER TABLE users ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY everyone ON users FOR SELECT TO public
  USING (true);
CREATE POLICY not_deleted ON users AS RESTRICTIVE FOR SELECT TO tertulia_server
  USING (NOT (EXISTS ( SELECT
   FROM deleted_accounts)) OR NOT is_being_deleted(id));
CREATE POLICY not_hidden ON users AS RESTRICTIVE FOR SELECT TO tertulia_server
  USING (COALESCE(id <> ALL ((( SELECT listed_hidden_ids() AS listed_hidden_ids))::uuid[]), NOT viewer_hides(id)));
CREATE POLICY own ON users FOR UPDATE TO tertulia_server
  USING (id = (( SELECT viewer_id() AS viewer_id)));
CREATE POLICY moderation ON users FOR UPDATE TO tertulia_trigger
  USING (true)
  WITH CHECK (true);
CREATE POLICY accounts ON users TO tertulia_worker
  USING (true);

GRANT SELECT ON users TO tertulia_server;
GRANT UPDATE (username, display_name, bio, avatar_id, name_skeleton) ON users TO tertulia_server;
GRANT SELECT ON users TO tertulia_trigger;
GRANT UPDATE (display_name, bio, avatar_id) ON users TO tertulia_trigger;
GRANT DELETE, INSERT, SELECT, UPDATE ON users TO tertulia_worker;

CREATE TRIGGER refuse_suspended BEFORE INSERT OR DELETE OR UPDATE ON users
  FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_suspended_viewer();

-- refuse_suspended_viewer(): see blocks

CREATE TRIGGER lock_delete BEFORE DELETE ON users
  FOR EACH ROW
  EXECUTE FUNCTION lock_before_user_deletion();

-- lock_before_user_deletion(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.lock_before_user_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

CREATE TRIGGER enter_insert AFTER INSERT ON users
  FOR EACH ROW
  WHEN (new.username IS NOT NULL)
  EXECUTE FUNCTION enter_user();

-- enter_user(), owned by tertulia_trigger
-- calls search_words(text,text)
CREATE OR REPLACE FUNCTION public.enter_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- search_words(text,text): see events

CREATE TRIGGER enter_update AFTER UPDATE OF username, display_name, bio ON users
  FOR EACH ROW
  EXECUTE FUNCTION enter_user();

CREATE TRIGGER release_image_update AFTER UPDATE OF avatar_id ON users
  FOR EACH ROW
  WHEN (old.avatar_id IS DISTINCT FROM new.avatar_id)
  EXECUTE FUNCTION release_image();

-- release_image(): see events

CREATE TRIGGER delete_entries AFTER DELETE ON users
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION delete_search_entries();

-- delete_search_entries(): see events

CREATE TRIGGER delete_notifications AFTER DELETE ON users
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION delete_notifications();

-- delete_notifications(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.delete_notifications()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from notifications where user_id in (select id from changed);
  return null;
end
$function$;

CREATE TRIGGER log_delete AFTER DELETE ON users
  REFERENCING OLD TABLE AS changed_from
  FOR EACH STATEMENT
  EXECUTE FUNCTION log_user_changes();

-- log_user_changes(), owned by tertulia_trigger
CREATE OR REPLACE FUNCTION public.log_user_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into change_log (type, object_id, after)
    select 'user', n.id, row(n.id, null, null, null, null, null)::change_state from changed_to n order by n.id;
  elsif tg_op = 'UPDATE' then
    insert into change_log (type, object_id, before, after)
    select 'user', n.id, row(n.id, null, null, null, null, null)::change_state,
      row(n.id, null, null, null, null, null)::change_state
    from changed_to n order by n.id;
  else
    insert into change_log (type, object_id, before)
    select 'user', o.id, row(o.id, null, null, null, null, null)::change_state from changed_from o order by o.id;
  end if;
  return null;
end
$function$;

CREATE TRIGGER log_insert AFTER INSERT ON users
  REFERENCING NEW TABLE AS changed_to
  FOR EACH STATEMENT
  EXECUTE FUNCTION log_user_changes();

CREATE TRIGGER log_update AFTER UPDATE ON users
  REFERENCING OLD TABLE AS changed_from NEW TABLE AS changed_to
  FOR EACH STATEMENT
  EXECUTE FUNCTION log_user_changes();

-- Other functions -----------------------------------------------------------------------------------------------------

-- adopt_change_log(), owned by tertulia_owner
-- calls change_log_is_foreign(), enqueue_comments(xid8,integer)
CREATE OR REPLACE FUNCTION public.adopt_change_log()
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  logged text;
begin
  set local role tertulia_owner;
  lock table change_log_origin in exclusive mode;
  if not change_log_is_foreign() then
    return false;
  end if;
  perform pg_advisory_xact_lock(1852143475);
  lock table comments, change_log in access exclusive mode;
  set local role tertulia_trigger;
  while enqueue_comments('18446744073709551615', 10000) > 0 loop
  end loop;
  update outbox_position set xid = pg_snapshot_xmin(pg_current_snapshot()), id = 0;
  set local role tertulia_owner;
  truncate change_log, change_log_floor, deleted_objects, thought_ranks, thought_ranks_position;
  foreach logged in array array['thoughts', 'events', 'comments', 'conversations', 'conversation_members', 'messages',
    'notifications', 'hidden_people']
  loop
    execute format('alter table %I alter column changed_in type xid8 using pg_current_xact_id()', logged);
  end loop;
  delete from change_log_origin;
  insert into change_log_origin
  select s.system_identifier, d.oid from pg_control_system() s, pg_database d where d.datname = current_database();
  set local role tertulia_worker;
  insert into thought_ranks_position (xid, id) values (pg_snapshot_xmin(pg_current_snapshot()), 0);
  insert into thought_ranks (thought_id, kind, rank)
  select id, kind, rank from thoughts t cross join lateral (values
    ('MOST_LIKED', t.like_count), ('MOST_DISCUSSED', t.comment_count),
    ('BEST_RATED', 1000 * (t.rating_total + 15) / (t.rating_count + 5))
  ) as ranks (kind, rank) where status = 'PUBLISHED';
  return true;
end
$function$;

-- begin_change_log_epoch(bigint), owned by tertulia_owner
-- called by tertulia_worker
-- calls current_timeline(), database_identity()
CREATE OR REPLACE FUNCTION public.begin_change_log_epoch(seen bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- A crash that took the new epoch back would make the cursors of the lost history valid again.
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'local', true);
  end if;
  update change_log_epoch
  set epoch = hashtextextended(gen_random_uuid()::text, 0), timeline = current_timeline(), begun_at = clock_timestamp()
  where epoch = (select seen # identity from database_identity());
  return found;
end
$function$;

-- begin_merge(uuid,uuid,integer), owned by tertulia_owner
-- called by tertulia_worker
-- calls merge_account(uuid,uuid,integer)
CREATE OR REPLACE FUNCTION public.begin_merge(source uuid, target uuid, batch integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if merge_account(source, target, batch) then
    insert into account_merges (source_id, target_id) values (source, target) on conflict do nothing;
  end if;
end
$function$;

-- begin_ranking(integer,double precision), owned by tertulia_owner
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.begin_ranking(batch integer, lease double precision, OUT thoughts uuid[], OUT passed_xid xid8, OUT passed_id bigint, OUT has_more boolean)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  here thought_ranks_position;
begin
  update thought_ranks_position set claimed_at = clock_timestamp()
  where claimed_at <= clock_timestamp() - make_interval(secs => lease) returning * into here;
  thoughts := '{}';
  has_more := false;
  if found then
    -- A backup may have brought the position from a cluster whose transactions had higher numbers.
    if here.xid >= pg_snapshot_xmax(pg_current_snapshot()) then
      update thought_ranks_position set xid = '0', id = 0 returning * into here;
    end if;
    with entries as materialized (
      select xid, id, xid < pg_snapshot_xmin(pg_current_snapshot()) as is_settled,
        case when type = 'thought' then object_id when (counted).status is not null then (after).subject end
          as thought
      from change_log where (xid, id) > (here.xid, here.id) order by xid, id limit batch
    )
    select array(select distinct thought from entries where thought is not null),
        (select count(*) = batch from entries where is_settled), last.xid, last.id
      into thoughts, has_more, passed_xid, passed_id
    from (select) as one
    left join (select xid, id from entries where is_settled order by xid desc, id desc limit 1) as last on true;
  end if;
end
$function$;

-- begin_sign_in(bytea,integer), owned by tertulia_owner
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.begin_sign_in(login bytea, allowed integer)
 RETURNS double precision
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  attempts sign_in_attempts;
  wait double precision;
begin
  insert into sign_in_attempts as a values (login, 0, clock_timestamp())
  on conflict (login_hash) do update set failures = a.failures returning * into attempts;
  if attempts.failures >= allowed then
    wait := least(900, 2 ^ least(attempts.failures - allowed, 20))
      - extract(epoch from clock_timestamp() - attempts.last_at);
    if wait > 0 then
      return wait;
    end if;
  end if;
  update sign_in_attempts set failures = failures + 1, last_at = clock_timestamp() where login_hash = login;
  return 0;
end
$function$;

-- bucket_level(text,double precision,double precision), owned by tertulia_owner
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.bucket_level(bucket text, quota double precision, seconds double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  level double precision;
begin
  insert into rate_limits (key, tokens, at) values (bucket, quota, clock_timestamp()) on conflict do nothing;
  select least(quota, tokens + greatest(0, extract(epoch from clock_timestamp() - at)) * quota / seconds)
    into level from rate_limits where key = bucket for update;
  return level;
end
$function$;

-- change_log_history(), owned by tertulia_owner
-- called by tertulia_worker
-- calls current_timeline(), database_identity()
CREATE OR REPLACE FUNCTION public.change_log_history()
 RETURNS TABLE(epoch bigint, is_current boolean, process integer, started_at timestamp with time zone)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT (e.epoch # i.identity),
     (e.timeline = current_timeline()),
     pg_backend_pid() AS pg_backend_pid,
     pg_postmaster_start_time() AS pg_postmaster_start_time
    FROM change_log_epoch e,
     database_identity() i(identity);
END;

-- change_log_is_foreign(), owned by tertulia_owner
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.change_log_is_foreign()
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (NOT (EXISTS (SELECT FROM change_log_origin o, pg_control_system() s(pg_control_version, catalog_version_no, system_identifier, pg_control_last_modified), pg_database d WHERE ((d.datname = current_database()) AND (o.system = s.system_identifier) AND (o.database = d.oid)))));

-- clean_search_lists(), owned by tertulia_owner
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.clean_search_lists()
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select gin_clean_pending_list('search_entries_of_thoughts') + gin_clean_pending_list('search_entries_of_events')
    + gin_clean_pending_list('search_entries_of_people')
$function$;

-- clear_image(uuid,integer), owned by tertulia_owner
-- called by tertulia_worker
-- calls keep_reported_image(uuid), viewer_id()
CREATE OR REPLACE FUNCTION public.clear_image(image uuid, batch integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- comments_on_subject(uuid,uuid,bigint), owned by tertulia_trigger
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.comments_on_subject(subject uuid, author uuid, most bigint)
 RETURNS TABLE(id uuid, author_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query select c.id, c.author_id from comments c
    where (c.thought_id = subject or c.event_id = subject) and (author is null or c.author_id = author) limit most;
end
$function$;

-- count_others(uuid[],uuid[]), owned by tertulia_owner
-- called by tertulia_trigger
CREATE OR REPLACE FUNCTION public.count_others(these uuid[], those uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  one uuid;
  others integer := 0;
begin
  foreach one in array these loop
    if one <> all (those) then
      others := others + 1;
    end if;
  end loop;
  return others;
end
$function$;

-- counted_objects(text,uuid,integer), owned by tertulia_trigger
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.counted_objects(kind text, after uuid, batch integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return case kind
    when 'thought' then array(select id from thoughts where id > after order by id limit batch)
    when 'event' then array(select id from events where id > after order by id limit batch)
    when 'conversation' then array(select id from conversations where id > after order by id limit batch)
  end;
end
$function$;

-- counter_drift(text,uuid[]), owned by tertulia_trigger
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.counter_drift(kind text, ids uuid[])
 RETURNS TABLE(object uuid, counter text, stored bigint, counted bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER ROWS 1
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  case kind
  when 'thought' then
    return query select t.id, c.name, c.stored::bigint, c.counted from thoughts t cross join lateral (values
      ('like_count', t.like_count, (select count(*) from thought_likes x where x.thought_id = t.id)),
      ('save_count', t.save_count, (select count(*) from thought_saves x where x.thought_id = t.id)),
      ('share_count', t.share_count, (select count(*) from thought_shares x where x.thought_id = t.id)),
      ('comment_count', t.comment_count, (select count(*) from comments x where x.thought_id = t.id)),
      ('rating_count', t.rating_count, (select count(*) from thought_ratings x where x.thought_id = t.id)),
      ('rating_total', t.rating_total,
        (select coalesce(sum(stars), 0) from thought_ratings x where x.thought_id = t.id))
    ) as c (name, stored, counted) where t.id = any(ids) and c.stored <> c.counted;
  when 'event' then
    return query select e.id, c.name, c.stored::bigint, c.counted from events e cross join lateral (values
      ('interested_count', e.interested_count,
        (select count(*) from event_rsvps x where x.event_id = e.id and x.status = 'INTERESTED')),
      ('going_count', e.going_count,
        (select count(*) from event_rsvps x where x.event_id = e.id and x.status = 'GOING')),
      ('comment_count', e.comment_count, (select count(*) from comments x where x.event_id = e.id))
    ) as c (name, stored, counted) where e.id = any(ids) and c.stored <> c.counted;
  when 'conversation' then
    -- A deleted message may leave these numbers ahead: unread messages are counted beyond them, on demand.
    return query select p.conversation_id, 'newest_from_others of ' || p.place, p.newest_from_others, newest.number
    from conversation_members p cross join lateral (
      select max(m.number) as number from messages m
      where m.conversation_id = p.conversation_id and m.author_id <> p.user_id and not m.number <@ p.absences) newest
    where p.conversation_id = any(ids) and p.left_at is null and p.newest_from_others < newest.number
    union all
    select c.id, 'last_number', c.last_number, newest.number from conversations c cross join lateral (
      select max(m.number) as number from messages m where m.conversation_id = c.id) newest
    where c.id = any(ids) and c.last_number < newest.number;
  end case;
end
$function$;

-- current_timeline(), owned by tertulia_owner
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.current_timeline()
 RETURNS integer
 LANGUAGE sql
RETURN CASE WHEN (NOT pg_is_in_recovery()) THEN ((('x'::text || "left"(pg_walfile_name(pg_current_wal_lsn()), 8)))::bit(32))::integer ELSE NULL::integer END;

-- database_identity(), owned by tertulia_owner
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.database_identity()
 RETURNS TABLE(identity bigint)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT (s.system_identifier # ((d.oid)::bigint << 32))
    FROM pg_control_system() s(pg_control_version, catalog_version_no, system_identifier, pg_control_last_modified),
     pg_database d
   WHERE (d.datname = current_database());
END;

-- drop_change_log_partition(integer), owned by tertulia_owner
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.drop_change_log_partition(days integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '200ms'
AS $function$
declare
  partition text;
  day date;
  last record;
begin
  select c.relname into partition from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'change_log'::regclass and c.relname ~ '^change_log_[0-9]{8}$'
    and right(c.relname, 8) < to_char((now() at time zone 'UTC')::date - days, 'YYYYMMDD')
  order by c.relname limit 1;
  if partition is null then
    return 0;
  end if;
  day := to_date(right(partition, 8), 'YYYYMMDD');
  select xid, id + (counted is distinct from null)::integer as number into last from change_log
  where at >= day::timestamp at time zone 'UTC' and at < (day + 1)::timestamp at time zone 'UTC'
  order by xid desc, id desc limit 1;
  if found then
    delete from change_log_floor;
    insert into change_log_floor values (last.xid, last.number);
  end if;
  execute format('drop table %I', partition);
  return 1;
exception
  when lock_not_available then return 0;
end
$function$;

-- enqueue_comments(xid8,integer), owned by tertulia_owner
-- called by tertulia_trigger
CREATE OR REPLACE FUNCTION public.enqueue_comments(settled xid8, page integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  here outbox_position;
  seen integer;
begin
  select * into here from outbox_position;
  with entries as materialized (
    select xid, id, type, after, counted from change_log
    where (xid, id) > (here.xid, here.id) and xid < settled order by xid, id limit page
  ), enqueued as (
    insert into outbox (kind, subject_type, subject_id, actor_id)
    select 'COMMENT', case when (counted).status is null then 'event' else 'thought' end,
      (after).subject, (after).owner
    from entries where type = 'comment' and counted is distinct from null order by xid, id
  ), passed as (
    update outbox_position p set xid = e.xid, id = e.id
    from (select xid, id from entries order by xid desc, id desc limit 1) as e
  )
  select count(*) into seen from entries;
  return seen;
end
$function$;

-- event_is_visible(uuid), owned by tertulia_owner
-- called by tertulia_server
CREATE OR REPLACE FUNCTION public.event_is_visible(event uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
begin
  return exists (select from events where id = event);
end
$function$;

-- gone_acts_on_event(uuid), owned by tertulia_trigger
-- called by tertulia_server
CREATE OR REPLACE FUNCTION public.gone_acts_on_event(event uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- gone_acts_on_thought(uuid), owned by tertulia_trigger
-- called by tertulia_server
CREATE OR REPLACE FUNCTION public.gone_acts_on_thought(thought uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- hidden_ids(), owned by tertulia_owner
-- called by tertulia_server, tertulia_trigger, tertulia_worker
-- calls listed_hidden_ids(), unlisted_hidden_ids()
CREATE OR REPLACE FUNCTION public.hidden_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN (current_setting('app.hidden'::text, true) = '{NULL}'::text) THEN COALESCE(unlisted_hidden_ids(), '{}'::uuid[]) ELSE listed_hidden_ids() END;

-- hidden_setting(uuid[],uuid[]), owned by tertulia_owner
-- called by tertulia_server, tertulia_worker
-- calls viewer_is_moderator()
CREATE OR REPLACE FUNCTION public.hidden_setting(blocked uuid[], blocked_by uuid[])
 RETURNS text
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return case when cardinality(blocked_by) = 0 or viewer_is_moderator() then blocked else blocked || blocked_by end;
end
$function$;

-- image_is_public(uuid,uuid), owned by tertulia_trigger
-- called by tertulia_server, tertulia_worker
CREATE OR REPLACE FUNCTION public.image_is_public(image uuid, owner uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return exists (select from thoughts where image_id = image and author_id = owner and status = 'PUBLISHED')
    or exists (select from events where image_id = image and author_id = owner)
    or exists (select from users where avatar_id = image and id = owner);
end
$function$;

-- imitates_somebody(text,text,uuid), owned by tertulia_trigger
-- called by tertulia_server, tertulia_worker
-- calls username_skeleton(text)
CREATE OR REPLACE FUNCTION public.imitates_somebody(name text, skeleton text, own_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select skeleton is not null and (
    exists (select from users where name_skeleton = skeleton and lower(display_name) <> lower(name)
      and id is distinct from own_id)
    or exists (select from users where username_skeleton(username) = skeleton and username <> lower(name)
      and id is distinct from own_id))
$function$;

-- is_being_deleted(uuid), owned by tertulia_owner
-- called by tertulia_server
CREATE OR REPLACE FUNCTION public.is_being_deleted(account uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return exists (select from deleted_accounts where user_id = account);
end
$function$;

-- is_one_slip(text,text), owned by tertulia_owner
-- called by tertulia_server
CREATE OR REPLACE FUNCTION public.is_one_slip(a text, b text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
$function$;

-- keep_reported_image(uuid), owned by tertulia_trigger
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.keep_reported_image(image uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- learn_search_words(), owned by tertulia_trigger
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.learn_search_words()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- leave_conversation(uuid), owned by tertulia_trigger
-- called by tertulia_server
-- calls viewer_id()
CREATE OR REPLACE FUNCTION public.leave_conversation(conversation uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  filed xid8;
begin
  -- While the row is locked, no message gets a number.
  perform from conversations where id = conversation and exists (
    select from conversation_members where conversation_id = conversation and user_id = viewer_id()) for no key update;
  if not found then
    return false;
  end if;
  update conversation_members p set left_at = date_trunc('milliseconds', now()),
    absences = p.absences + int8multirange(int8range(c.last_number + 1, null)),
    changed_in = greatest(p.changed_in, c.changed_in, pg_current_xact_id())
  from conversations c
  where c.id = conversation and p.conversation_id = conversation and p.user_id = viewer_id() and p.left_at is null
  returning p.changed_in into filed;
  if filed is not null then
    update conversations set changed_in = filed where id = conversation;
  end if;
  return true;
end
$function$;

-- listed_hidden_ids(), owned by tertulia_owner
-- called by tertulia_server, tertulia_trigger, tertulia_worker
CREATE OR REPLACE FUNCTION public.listed_hidden_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (COALESCE(NULLIF(current_setting('app.hidden'::text, true), ''::text), '{}'::text))::uuid[];

-- lock_counting(uuid[],uuid[]), owned by tertulia_owner
-- called by tertulia_worker
-- calls lock_event(uuid), lock_thought(uuid)
CREATE OR REPLACE FUNCTION public.lock_counting(thoughts uuid[], events uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform lock_thought(id) from (select distinct unnest(thoughts) as id order by 1) as t where id is not null;
  perform lock_event(id) from (select distinct unnest(events) as id order by 1) as e where id is not null;
end
$function$;

-- lock_event(uuid), owned by tertulia_trigger
-- called by tertulia_server, tertulia_worker
CREATE OR REPLACE FUNCTION public.lock_event(event uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform from events where id = event for no key update;
  return true;
end
$function$;

-- lock_subject(uuid,uuid), owned by tertulia_trigger
-- called by tertulia_server
-- calls lock_event(uuid), lock_thought(uuid)
CREATE OR REPLACE FUNCTION public.lock_subject(thought uuid, event uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if thought is not null then
    return lock_thought(thought);
  end if;
  return lock_event(event);
end
$function$;

-- lock_thought(uuid), owned by tertulia_trigger
-- called by tertulia_server, tertulia_worker
CREATE OR REPLACE FUNCTION public.lock_thought(thought uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform from thoughts where id = thought for no key update;
  return true;
end
$function$;

-- lock_viewer(), owned by tertulia_trigger
-- called by tertulia_server
-- calls viewer_id()
CREATE OR REPLACE FUNCTION public.lock_viewer()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform from users where id = viewer_id() for key share;
  return true;
end
$function$;

-- make_change_log_partitions(integer), owned by tertulia_owner
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.make_change_log_partitions(days integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  day date;
  partition text;
begin
  for day in select (now() at time zone 'UTC')::date + n from generate_series(0, days) as n loop
    partition := 'change_log_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(partition) is not null;
    begin
      execute format(
        'create table %I partition of change_log for values from (%L) to (%L)', partition,
        day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      execute format('alter table %I enable row level security, force row level security', partition);
    exception
      -- Another replica makes the same, or rows of that day already went to the default partition.
      when duplicate_table or unique_violation or check_violation then null;
    end;
  end loop;
end
$function$;

-- merge_account(uuid,uuid,integer), owned by tertulia_owner
-- called by tertulia_worker
-- calls lock_counting(uuid[],uuid[])
CREATE OR REPLACE FUNCTION public.merge_account(source uuid, target uuid, batch integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- notification_groups(bigint[],integer), owned by tertulia_owner
-- called by tertulia_trigger
-- calls notification_subject(text)
CREATE OR REPLACE FUNCTION public.notification_groups(taken bigint[], page integer)
 RETURNS SETOF notification_group
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_column
begin
  return query
  with acts as materialized (
    select * from outbox where id = any(taken)
  ), recipients as (
    select a.id, t.author_id as user_id, notification_subject(coalesce(t.title, t.text)) as subject
    from acts a join thoughts t on t.id = a.subject_id
    where a.subject_type = 'thought' and case a.kind
      when 'LIKE' then exists (select from thought_likes l where l.thought_id = t.id and l.user_id = a.actor_id)
      when 'RATING' then exists (select from thought_ratings r where r.thought_id = t.id and r.user_id = a.actor_id)
      else true end
    union all
    select a.id, e.author_id, notification_subject(e.name)
    from acts a join events e on e.id = a.subject_id
    where a.kind = 'COMMENT' and a.subject_type = 'event'
      or a.kind = 'RSVP'
        and exists (select from event_rsvps r where r.event_id = e.id and r.user_id = a.actor_id)
    union all
    select a.id, p.user_id, ''
    from acts a join conversation_members p on p.conversation_id = a.subject_id
    where a.kind = 'MESSAGE' and p.user_id is not null and p.left_at is null
      and p.last_read_number < p.newest_from_others
    union all
    select a.id, r.user_id, notification_subject(e.name)
    from acts a join events e on e.id = a.subject_id
    cross join lateral (
      select user_id from event_rsvps where event_id = e.id and (a.notified_up_to is null or user_id > a.notified_up_to)
      order by user_id limit page
    ) as r
    where a.kind in ('EVENT_CHANGED', 'EVENT_CANCELLED')
  ), notified as (
    select r.user_id, a.kind, a.subject_type, a.subject_id, a.actor_id, u.display_name, r.subject, max(a.id) as newest
    from recipients r join acts a on a.id = r.id join users u on u.id = a.actor_id
    where r.user_id <> a.actor_id and not exists (
      select from blocks b where b.blocker_id = r.user_id and b.blocked_id = a.actor_id
        or b.blocker_id = a.actor_id and b.blocked_id = r.user_id)
    group by 1, 2, 3, 4, 5, 6, 7
  )
  select user_id, kind, subject_type, subject_id, array_agg(actor_id order by newest desc),
    (array_agg(display_name order by newest desc))[1], max(subject)
  from notified group by user_id, kind, subject_type, subject_id;
end
$function$;

-- notification_text(text,text,integer,text), owned by tertulia_owner
-- called by tertulia_server, tertulia_trigger, tertulia_worker
CREATE OR REPLACE FUNCTION public.notification_text(kind text, actor text, others integer, subject text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return actor || case when others = 0 or kind in ('EVENT_CHANGED', 'EVENT_CANCELLED') then ''
      when others = 1 then ' and one other' else ' and ' || others::text || ' others' end
    || case kind when 'LIKE' then ' liked ' when 'COMMENT' then ' commented on ' when 'RATING' then ' rated '
      when 'RSVP' then ' responded to ' when 'EVENT_CHANGED' then ' changed ' when 'EVENT_CANCELLED' then ' cancelled '
      else ' wrote to you' end
    || case when kind = 'MESSAGE' then '.' else '“' || subject || '”.' end;
end
$function$;

-- notification_without(text,uuid[],integer,text,uuid[]), owned by tertulia_owner
-- called by tertulia_server, tertulia_worker
-- calls notification_text(text,text,integer,text)
CREATE OR REPLACE FUNCTION public.notification_without(kind text, actors uuid[], actor_count integer, original text, hidden uuid[], OUT actor_id uuid, OUT others integer, OUT sentence text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- people_blocked_by_viewer(timestamp with time zone,uuid,bigint), owned by tertulia_owner
-- called by tertulia_server
-- calls viewer_id()
CREATE OR REPLACE FUNCTION public.people_blocked_by_viewer(before_at timestamp with time zone, before_id uuid, most bigint)
 RETURNS TABLE(person users, blocked_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query select u, b.created_at from blocks b join users u on u.id = b.blocked_id
    where b.blocker_id = viewer_id() and (b.created_at, b.blocked_id) < (before_at, before_id)
      and not exists (select from deleted_accounts d where d.user_id = b.blocked_id)
    order by b.created_at desc, b.blocked_id desc limit most;
end
$function$;

-- people_hidden_from(uuid), owned by tertulia_owner
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.people_hidden_from(account uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT (COALESCE(( SELECT (hidden_people.blocked || hidden_people.blocked_by)
            FROM hidden_people
           WHERE (hidden_people.viewer_id = people_hidden_from.account)), '{}'::uuid[]) || ARRAY( SELECT deleted_accounts.user_id
            FROM deleted_accounts));
END;

-- people_hidden_from_viewer(), owned by tertulia_trigger
-- called by tertulia_server
-- calls viewer_id()
CREATE OR REPLACE FUNCTION public.people_hidden_from_viewer()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return coalesce((
    select blocked || blocked_by from hidden_people where hidden_people.viewer_id = viewer_id()), '{}');
end
$function$;

-- people_key(uuid[]), owned by tertulia_owner
-- called by tertulia_server, tertulia_trigger
CREATE OR REPLACE FUNCTION public.people_key(people uuid[])
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select encode(
    substring(sha256(convert_to(string_agg(distinct id::text, ',' order by id::text), 'UTF8')) for 16), 'hex')::uuid
  from unnest(people) as id
$function$;

-- person_to_block(uuid), owned by tertulia_owner
-- called by tertulia_server
-- calls viewer_id(), viewer_is_moderator()
CREATE OR REPLACE FUNCTION public.person_to_block(person uuid)
 RETURNS SETOF users
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query select u.* from users u where u.id = person
    and not exists (select from deleted_accounts where user_id = person)
    and (
      not exists (select from blocks where blocker_id = person and blocked_id = viewer_id())
      or exists (select from blocks where blocker_id = viewer_id() and blocked_id = person)
      or viewer_is_moderator());
end
$function$;

-- plain_letters(), owned by tertulia_owner
-- called by tertulia_server, tertulia_trigger
CREATE OR REPLACE FUNCTION public.plain_letters()
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN '{"Æ": "ae", "Ð": "d", "Ø": "o", "Þ": "th", "ß": "ss", "æ": "ae", "ð": "d", "ø": "o", "þ": "th", "Đ": "d", "đ": "d", "Ħ": "h", "ħ": "h", "ı": "i", "ĸ": "q", "Ł": "l", "ł": "l", "Ŋ": "n", "ŋ": "n", "Œ": "oe", "œ": "oe", "Ŧ": "t", "ŧ": "t", "ƀ": "b", "Ɓ": "b", "Ƃ": "b", "ƃ": "b", "Ƈ": "c", "ƈ": "c", "Ɖ": "d", "Ɗ": "d", "Ƌ": "d", "ƌ": "d", "Ɛ": "e", "Ƒ": "f", "ƒ": "f", "Ɠ": "g", "ƕ": "hv", "Ɩ": "i", "Ɨ": "i", "Ƙ": "k", "ƙ": "k", "ƚ": "l", "Ɲ": "n", "ƞ": "n", "Ƣ": "oi", "ƣ": "oi", "Ƥ": "p", "ƥ": "p", "Ʀ": "r", "ƫ": "t", "Ƭ": "t", "ƭ": "t", "Ʈ": "t", "Ʋ": "v", "Ƴ": "y", "ƴ": "y", "Ƶ": "z", "ƶ": "z", "Ǥ": "g", "ǥ": "g", "Ƕ": "hv", "Ƞ": "n", "ȡ": "d", "Ȥ": "z", "ȥ": "z", "ȴ": "l", "ȵ": "n", "ȶ": "t", "ȷ": "j", "ȸ": "db", "ȹ": "qp", "Ⱥ": "a", "Ȼ": "c", "ȼ": "c", "Ƚ": "l", "Ⱦ": "t", "ȿ": "s", "ɀ": "z", "Ƀ": "b", "Ʉ": "u", "Ɇ": "e", "ɇ": "e", "Ɉ": "j", "ɉ": "j", "Ɍ": "r", "ɍ": "r", "Ɏ": "y", "ɏ": "y", "ɓ": "b", "ɕ": "c", "ɖ": "d", "ɗ": "d", "ɛ": "e", "ɟ": "j", "ɠ": "g", "ɡ": "g", "ɢ": "g", "ɦ": "h", "ɧ": "h", "ɨ": "i", "ɩ": "i", "ɪ": "i", "ɫ": "l", "ɬ": "l", "ɭ": "l", "ɱ": "m", "ɲ": "n", "ɳ": "n", "ɴ": "n", "ɶ": "oe", "ɼ": "r", "ɽ": "r", "ɾ": "r", "ʀ": "r", "ʂ": "s", "ʈ": "t", "ʉ": "u", "ʋ": "v", "ʏ": "y", "ʐ": "z", "ʑ": "z", "ʙ": "b", "ʛ": "g", "ʜ": "h", "ʝ": "j", "ʟ": "l", "ʠ": "q", "ʣ": "dz", "ʥ": "dz", "ʦ": "ts", "ʪ": "ls", "ʫ": "lz", "ʹ": "''", "ʺ": "\"", "ʻ": "''", "ʼ": "''", "ʽ": "''", "ˆ": "^", "ˈ": "''", "ˋ": "`", "ː": ":", "ς": "σ", "װ": "וו", "ױ": "וי", "ײ": "יי", "ة": "ه", "ى": "ي", "ٱ": "ا", "ک": "ك", "ہ": "ه", "ی": "ي", "ے": "ي", "ە": "ه", "ᴀ": "a", "ᴁ": "ae", "ᴃ": "b", "ᴄ": "c", "ᴅ": "d", "ᴆ": "d", "ᴇ": "e", "ᴊ": "j", "ᴋ": "k", "ᴌ": "l", "ᴍ": "m", "ᴏ": "o", "ᴘ": "p", "ᴛ": "t", "ᴜ": "u", "ᴠ": "v", "ᴡ": "w", "ᴢ": "z", "ᵫ": "ue", "ᵬ": "b", "ᵭ": "d", "ᵮ": "f", "ᵯ": "m", "ᵰ": "n", "ᵱ": "p", "ᵲ": "r", "ᵳ": "r", "ᵴ": "s", "ᵵ": "t", "ᵶ": "z", "ᵺ": "th", "ᵻ": "i", "ᵽ": "p", "ᵾ": "u", "ᶀ": "b", "ᶁ": "d", "ᶂ": "f", "ᶃ": "g", "ᶄ": "k", "ᶅ": "l", "ᶆ": "m", "ᶇ": "n", "ᶈ": "p", "ᶉ": "r", "ᶊ": "s", "ᶌ": "v", "ᶍ": "x", "ᶎ": "z", "ᶏ": "a", "ᶑ": "d", "ᶒ": "e", "ᶓ": "e", "ᶖ": "i", "ᶙ": "u", "ẜ": "s", "ẝ": "s", "ẞ": "ss", "Ỻ": "ll", "ỻ": "ll", "Ỽ": "v", "ỽ": "v", "Ỿ": "y", "ỿ": "y", "Ⱡ": "l", "ⱡ": "l", "Ɫ": "l", "Ᵽ": "p", "Ɽ": "r", "ⱥ": "a", "ⱦ": "t", "Ⱨ": "h", "ⱨ": "h", "Ⱪ": "k", "ⱪ": "k", "Ⱬ": "z", "ⱬ": "z", "Ɱ": "m", "ⱱ": "v", "Ⱳ": "w", "ⱳ": "w", "ⱴ": "v", "ⱸ": "e", "ⱺ": "o", "Ȿ": "s", "Ɀ": "z", "ꜰ": "f", "ꜱ": "s", "Ꜳ": "aa", "ꜳ": "aa", "Ꜵ": "ao", "ꜵ": "ao", "Ꜷ": "au", "ꜷ": "au", "Ꜹ": "av", "ꜹ": "av", "Ꜻ": "av", "ꜻ": "av", "Ꜽ": "ay", "ꜽ": "ay", "Ꝁ": "k", "ꝁ": "k", "Ꝃ": "k", "ꝃ": "k", "Ꝅ": "k", "ꝅ": "k", "Ꝇ": "l", "ꝇ": "l", "Ꝉ": "l", "ꝉ": "l", "Ꝋ": "o", "ꝋ": "o", "Ꝍ": "o", "ꝍ": "o", "Ꝏ": "oo", "ꝏ": "oo", "Ꝑ": "p", "ꝑ": "p", "Ꝓ": "p", "ꝓ": "p", "Ꝕ": "p", "ꝕ": "p", "Ꝗ": "q", "ꝗ": "q", "Ꝙ": "q", "ꝙ": "q", "Ꝟ": "v", "ꝟ": "v", "Ꝡ": "vy", "ꝡ": "vy", "Ꝥ": "th", "ꝥ": "th", "Ꝧ": "th", "ꝧ": "th", "ꝱ": "d", "ꝲ": "l", "ꝳ": "m", "ꝴ": "n", "ꝵ": "r", "ꝶ": "r", "ꝷ": "t", "Ꝺ": "d", "ꝺ": "d", "Ꝼ": "f", "ꝼ": "f", "Ꞇ": "t", "ꞇ": "t", "Ꞑ": "n", "ꞑ": "n", "Ꞓ": "c", "ꞓ": "c", "Ꞡ": "g", "ꞡ": "g", "Ꞣ": "k", "ꞣ": "k", "Ꞥ": "n", "ꞥ": "n", "Ꞧ": "r", "ꞧ": "r", "Ꞩ": "s", "ꞩ": "s", "Ɦ": "h", "Ɡ": "g", "Ɬ": "l", "Ɪ": "i", "Ʝ": "j", "Ʂ": "s", "Ᶎ": "z"}'::jsonb;

-- rank_thoughts(uuid[]), owned by tertulia_owner
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.rank_thoughts(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- Another call waits here, and then reads counters that are no older than those that this call writes.
  perform from thought_ranks_position for update;
  insert into thought_ranks (thought_id, kind, rank)
  select t.id, at_present.kind, at_present.rank
  from thoughts t
  cross join lateral (values
    ('MOST_LIKED', t.like_count), ('MOST_DISCUSSED', t.comment_count),
    ('BEST_RATED', 1000 * (t.rating_total + 15) / (t.rating_count + 5))
  ) as at_present (kind, rank)
  left join thought_ranks r on r.thought_id = t.id and r.kind = at_present.kind
  where t.id = any(ids) and t.status = 'PUBLISHED' and r.rank is distinct from at_present.rank
  on conflict (thought_id, kind) do update set rank = excluded.rank;
  delete from thought_ranks where thought_id = any(array(
    select gone from unnest(ids) as gone
    where not exists (select from thoughts t where t.id = gone and t.status = 'PUBLISHED')));
end
$function$;

-- record_push_receipts(uuid[],uuid[],bigint[]), owned by tertulia_trigger
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.record_push_receipts(sessions uuid[], objects uuid[], transactions bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into push_receipts as known (session_id, subject_id, up_to)
  select r.session_id, coalesce(m.conversation_id, r.object_id), max(coalesce(m.number, r.transaction))
  from unnest(sessions, objects, transactions) as r (session_id, object_id, transaction)
  left join messages m on m.id = r.object_id
  where exists (
    select from push_devices d where d.session_id = r.session_id and d.user_id is distinct from m.author_id)
  group by 1, 2 order by 1, 2
  on conflict (session_id, subject_id)
    do update set up_to = greatest(known.up_to, excluded.up_to), at = excluded.at;
end
$function$;

-- recount(text,uuid,boolean), owned by tertulia_trigger
-- called by tertulia_worker
-- calls counter_drift(text,uuid[])
CREATE OR REPLACE FUNCTION public.recount(kind text, id uuid, repair boolean)
 RETURNS TABLE(object uuid, counter text, stored bigint, counted bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER ROWS 1
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  drift record;
begin
  case kind
  when 'thought' then perform from thoughts t where t.id = recount.id for no key update;
  when 'event' then perform from events e where e.id = recount.id for no key update;
  -- A message gets its number under this lock.
  when 'conversation' then perform from conversations c where c.id = recount.id for no key update;
  end case;
  for drift in select * from counter_drift(kind, array[id]) loop
    if repair then
      case kind
      when 'thought' then
        execute format(
          'update thoughts set %I = $1, changed_in = greatest(changed_in, pg_current_xact_id()) where id = $2',
          drift.counter) using drift.counted, id;
        insert into change_log (xid, type, object_id, before, after, counters_only)
        select t.changed_in, 'thought', t.id, s.state, s.state, true from thoughts t cross join lateral (
          select row(t.author_id, t.status, t.category, null, null, null)::change_state as state) s
        where t.id = recount.id;
      when 'event' then
        execute format(
          'update events set %I = $1, changed_in = greatest(changed_in, pg_current_xact_id()) where id = $2',
          drift.counter) using drift.counted, id;
        insert into change_log (xid, type, object_id, before, after, counters_only)
        select e.changed_in, 'event', e.id, s.state, s.state, true from events e cross join lateral (
          select row(e.author_id, null, null, e.starts_at, null, null)::change_state as state) s
        where e.id = recount.id;
      when 'conversation' then
        if drift.counter = 'last_number' then
          update conversations c set last_number = drift.counted where c.id = recount.id;
        else
          update conversation_members p set newest_from_others = drift.counted
          where p.conversation_id = recount.id and 'newest_from_others of ' || p.place = drift.counter;
        end if;
      end case;
    end if;
    object := drift.object;
    counter := drift.counter;
    stored := drift.stored;
    counted := drift.counted;
    return next;
  end loop;
end
$function$;

-- refuse(text,text), owned by tertulia_owner
-- called by tertulia_server, tertulia_trigger, tertulia_worker
CREATE OR REPLACE FUNCTION public.refuse(code text, detail text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  raise exception using errcode = 'TR001', message = code, detail = coalesce(detail, '');
end
$function$;

-- refuse_suspended(uuid), owned by tertulia_trigger
-- called by tertulia_worker
-- calls refuse(text,text)
CREATE OR REPLACE FUNCTION public.refuse_suspended(account uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  present suspensions;
begin
  select * into present from suspensions where user_id = account and until > now();
  return not found or refuse('FORBIDDEN', 'SUSPENDED ' || present.reason || ' '
    || to_char(present.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end
$function$;

-- refuse_user_errors(text[]), owned by tertulia_owner
-- called by tertulia_server, tertulia_trigger, tertulia_worker
-- calls refuse(text,text)
CREATE OR REPLACE FUNCTION public.refuse_user_errors(errors text[])
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return array_remove(errors, null) = '{}' or refuse('USER_ERRORS', array_to_string(errors, ','));
end
$function$;

-- register_push_device(uuid,text,text,text,boolean,bytea,bytea,uuid), owned by tertulia_trigger
-- called by tertulia_server
-- calls lock_viewer(), refuse(text,text), refuse_suspended(uuid), viewer_id()
CREATE OR REPLACE FUNCTION public.register_push_device(new_id uuid, new_transport text, new_address text, new_topic text, is_sandbox boolean, key bytea, secret bytea, session uuid DEFAULT NULL::uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  found_id uuid;
begin
  -- Every transaction that locks an account and a session locks the account first.
  perform lock_viewer();
  -- A transaction that ends the session waits for this lock; its trigger then deletes the registration. If it came
  -- first, no session is found.
  perform from sessions where id = session and user_id = viewer_id() and revoked_at is null for share;
  if not found then
    perform refuse_suspended(viewer_id());
    perform refuse('UNAUTHENTICATED');
  end if;
  delete from push_devices where address = new_address and topic = new_topic and user_id <> viewer_id();
  insert into push_devices as d (id, user_id, transport, address, topic, sandbox, p256dh, auth, session_id)
  values (new_id, viewer_id(), new_transport, new_address, new_topic, is_sandbox, key, secret, session)
  on conflict (address, topic) do update
    set p256dh = excluded.p256dh, auth = excluded.auth, sandbox = excluded.sandbox, session_id = excluded.session_id
    where d.user_id = viewer_id()
  returning id into found_id;
  -- Browsers renew their subscriptions without taking the old ones back.
  delete from push_devices where id in (
    select id from push_devices where user_id = viewer_id() order by created_at desc, id desc offset 20);
  return found_id;
end
$function$;

-- remove_deleted_account(uuid,integer), owned by tertulia_owner
-- called by tertulia_worker
-- calls lock_counting(uuid[],uuid[]), remove_things(uuid[],integer)
CREATE OR REPLACE FUNCTION public.remove_deleted_account(account uuid, batch integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- remove_things(uuid[],integer), owned by tertulia_owner
-- called by tertulia_worker
-- calls lock_counting(uuid[],uuid[])
CREATE OR REPLACE FUNCTION public.remove_things(things uuid[], batch integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- require_moderator_of(uuid), owned by tertulia_trigger
-- called by tertulia_worker
-- calls refuse(text,text), viewer_id()
CREATE OR REPLACE FUNCTION public.require_moderator_of(person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  own_role text := (select role from users where id = viewer_id());
  its_role text := (select role from users where id = person
    and not exists (select from deleted_accounts where user_id = person));
begin
  return case
    when own_role is distinct from 'MODERATOR' and own_role is distinct from 'ADMIN' then refuse('FORBIDDEN', 'ROLE')
    when its_role is null then refuse('NOT_FOUND')
    when person = viewer_id() then refuse('USER_ERRORS', 'NOT_ALLOWED userId')
    when its_role <> 'MEMBER' and own_role <> 'ADMIN' then refuse('FORBIDDEN', 'ROLE')
    else true end;
end
$function$;

-- resolve_report(uuid,boolean), owned by tertulia_trigger
-- called by tertulia_server
-- calls lock_subject(uuid,uuid), notify_of_moderation(uuid,text,text,uuid,text,text), refuse(text,text), report_reason_text(text), viewer_id(), viewer_is_moderator()
CREATE OR REPLACE FUNCTION public.resolve_report(report uuid, remove boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  found_report reports;
  decided reports;
begin
  if not viewer_is_moderator() then
    return refuse(case when exists (select from reports where id = report and reporter_id = viewer_id())
      then 'FORBIDDEN' else 'NOT_FOUND' end);
  end if;
  select * into found_report from reports where id = report for no key update;
  if found_report.id is null then
    return refuse('NOT_FOUND');
  end if;
  if found_report.status <> 'OPEN' then
    return (found_report.status = 'CONTENT_REMOVED') = remove or refuse('USER_ERRORS', 'CONFLICT id');
  end if;
  if remove then
    perform set_config('app.report_id', report::text, true);
    case found_report.subject_type
      when 'thought' then delete from thoughts where id = found_report.subject_id;
      when 'event' then delete from events where id = found_report.subject_id;
      when 'comment' then
        perform lock_subject(thought_id, event_id) from comments where id = found_report.subject_id;
        delete from comments where id = found_report.subject_id;
      when 'user' then
        update users set bio = null, avatar_id = null,
          display_name = coalesce(username, case when is_anonymous then display_name else 'Somebody' end)
        where id = found_report.subject_id;
        insert into moderation_log (moderator_id, action, subject_type, subject_id, author_id, report_id, reason)
        values (viewer_id(), 'REMOVED', 'user', found_report.subject_id, found_report.subject_id, report,
          found_report.reason);
        perform notify_of_moderation(
          found_report.subject_id, 'CONTENT_REMOVED', 'user', found_report.subject_id, found_report.reason,
          'Moderators removed what your profile said' || report_reason_text(found_report.reason));
    end case;
    perform set_config('app.report_id', '', true);
  else
    insert into moderation_log (moderator_id, action, subject_type, subject_id, report_id, reason)
    values (viewer_id(), 'DISMISSED', found_report.subject_type, found_report.subject_id, report, found_report.reason);
  end if;
  for decided in
    select * from reports
    where status = 'OPEN' and (id = report or remove and subject_id = found_report.subject_id)
    order by id for no key update
  loop
    update reports set status = case when remove then 'CONTENT_REMOVED' else 'DISMISSED' end,
      resolved_by = viewer_id(), resolved_at = date_trunc('milliseconds', now())
    where id = decided.id;
    if decided.reporter_id <> viewer_id() then
      perform notify_of_moderation(
        decided.reporter_id, 'REPORT_RESOLVED', 'report', decided.id, decided.reason,
        case when remove then 'Moderators removed what you reported' else 'Moderators dismissed your report' end
          || report_reason_text(decided.reason));
    end if;
  end loop;
  return true;
end
$function$;

-- search_beginnings(text), owned by tertulia_owner
-- called by tertulia_server
-- calls search_terms(text)
CREATE OR REPLACE FUNCTION public.search_beginnings(query text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT (string_agg((search_terms.quoted || CASE WHEN (search_terms.is_last OR (NOT search_terms.is_short)) THEN ':*'::text ELSE ''::text END), ' & '::text))::tsquery AS string_agg FROM search_terms(search_beginnings.query) search_terms(lexeme, quoted, is_last, is_single, is_short));

-- search_letters(text,boolean), owned by tertulia_owner
-- called by tertulia_server, tertulia_trigger
-- calls plain_letters(), unspaced_characters()
CREATE OR REPLACE FUNCTION public.search_letters(content text, is_query boolean)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
$function$;

-- search_query(text), owned by tertulia_owner
-- called by tertulia_server
-- calls search_terms(text)
CREATE OR REPLACE FUNCTION public.search_query(query text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT (string_agg((search_terms.quoted || CASE WHEN (search_terms.is_last OR search_terms.is_single) THEN ':*'::text ELSE ''::text END), ' & '::text))::tsquery AS string_agg FROM search_terms(search_query.query) search_terms(lexeme, quoted, is_last, is_single, is_short));

-- search_slips(text), owned by tertulia_owner
-- called by tertulia_server
-- calls is_one_slip(text,text), search_terms(text), search_variants(text)
CREATE OR REPLACE FUNCTION public.search_slips(query text)
 RETURNS tsquery
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- search_terms(text), owned by tertulia_owner
-- called by tertulia_server
-- calls search_text(text,boolean), unspaced_characters()
CREATE OR REPLACE FUNCTION public.search_terms(query text)
 RETURNS TABLE(lexeme text, quoted text, is_last boolean, is_single boolean, is_short boolean)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
$function$;

-- search_text(text,boolean), owned by tertulia_owner
-- called by tertulia_server, tertulia_trigger
-- calls search_letters(text,boolean)
CREATE OR REPLACE FUNCTION public.search_text(content text, is_query boolean)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT translate(lower((CASE WHEN ((strpos(spelled.letters, '+'::text) = 0) AND (strpos(spelled.letters, '#'::text) = 0)) THEN spelled.letters ELSE regexp_replace(regexp_replace(spelled.letters, '(\w)\+\+'::text, '\1plusplus '::text, 'g'::text), '(\w)#(?!\w)'::text, '\1sharp '::text, 'g'::text) END COLLATE "C")), '/.@-+<>&~:#'::text, '           '::text) AS translate FROM (SELECT CASE WHEN (octet_length(search_text.content) = length(search_text.content)) THEN search_text.content ELSE search_letters(search_text.content, search_text.is_query) END AS letters) spelled);

-- search_variants(text), owned by tertulia_owner
-- called by tertulia_server, tertulia_trigger
CREATE OR REPLACE FUNCTION public.search_variants(word text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (word || ARRAY(SELECT OVERLAY(search_variants.word PLACING ''::text FROM i.i FOR 1) AS "overlay" FROM generate_series(1, length(search_variants.word)) i(i)));

-- search_words_of(text,uuid), owned by tertulia_owner
-- called by tertulia_trigger
-- calls search_words(text,text)
CREATE OR REPLACE FUNCTION public.search_words_of(kind text, entry uuid)
 RETURNS tsvector
 LANGUAGE plpgsql
AS $function$
begin
  return case kind
    when 'THOUGHT' then (select search_words(t.title, t.text) from thoughts t where t.id = entry)
    when 'EVENT' then (
      select search_words(e.name, concat_ws(' ', e.location, e.description)) from events e where e.id = entry)
    else (
      select search_words(concat_ws(' ', u.username, u.display_name), u.bio) from users u where u.id = entry)
    end;
end
$function$;

-- session_reads_only(), owned by tertulia_owner
-- called by tertulia_server
CREATE OR REPLACE FUNCTION public.session_reads_only()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  return current_setting('transaction_read_only')::boolean;
end
$function$;

-- spell_search_entries(), owned by tertulia_trigger
-- called by tertulia_worker
-- calls search_words_of(text,uuid)
CREATE OR REPLACE FUNCTION public.spell_search_entries()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- start_conversation(uuid,uuid[]), owned by tertulia_trigger
-- called by tertulia_server
-- calls people_hidden_from_viewer(), people_key(uuid[]), refuse(text,text), viewer_id(), viewer_is_member()
CREATE OR REPLACE FUNCTION public.start_conversation(new_id uuid, people uuid[])
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  everyone uuid[] := array(select unnest(people) union select viewer_id() order by 1);
  found uuid;
  filed xid8;
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
    absences = p.absences - int8multirange(int8range(c.last_number + 1, null)), last_read_number = c.last_number,
    changed_in = greatest(p.changed_in, c.changed_in, pg_current_xact_id())
  from conversations c
  where c.id = found and p.conversation_id = found and p.user_id = viewer_id() and p.left_at is not null
  returning p.changed_in into filed;
  if filed is not null then
    update conversations set changed_in = filed where id = found;
  end if;
  return false;
end
$function$;

-- store_image(uuid,bytea,text,integer,integer,bigint,text), owned by tertulia_trigger
-- called by tertulia_server
-- calls refuse(text,text), viewer_id(), viewer_image_bytes(), viewer_is_member()
CREATE OR REPLACE FUNCTION public.store_image(new_id uuid, content bytea, type text, new_width integer, new_height integer, quota bigint, argument text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- sweep_image_contents(integer), owned by tertulia_trigger
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.sweep_image_contents(batch integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- sweep_images(integer), owned by tertulia_trigger
-- called by tertulia_worker
CREATE OR REPLACE FUNCTION public.sweep_images(batch integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- take_rate(text,text,double precision,double precision), owned by tertulia_owner
-- called by tertulia_worker
-- calls bucket_level(text,double precision,double precision)
CREATE OR REPLACE FUNCTION public.take_rate(bucket text, site text, quota double precision, seconds double precision, OUT remaining double precision, OUT wait double precision)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  of_site double precision;
begin
  wait := 0;
  if site is not null then
    of_site := bucket_level(site, 16 * quota, seconds);
    if of_site < 1 then
      remaining := 0;
      wait := (1 - of_site) * seconds / (16 * quota);
      return;
    end if;
  end if;
  remaining := bucket_level(bucket, quota, seconds);
  if remaining < 1 then
    wait := (1 - remaining) * seconds / quota;
    remaining := 0;
    return;
  end if;
  update rate_limits set tokens = remaining - 1, at = clock_timestamp() where key = bucket;
  update rate_limits set tokens = of_site - 1, at = clock_timestamp() where key = site;
  remaining := least(remaining, of_site) - 1;
end
$function$;

-- thought_is_visible(uuid), owned by tertulia_owner
-- called by tertulia_server
CREATE OR REPLACE FUNCTION public.thought_is_visible(thought uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
begin
  return exists (select from thoughts where id = thought);
end
$function$;

-- time_zone_exists(text), owned by tertulia_owner
-- called by tertulia_server
CREATE OR REPLACE FUNCTION public.time_zone_exists(name text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  return name is null
    or (now() at time zone name) is not null and (
      name = 'UTC' or name ~ '^[A-Za-z_]+(/[A-Za-z_-]+)+$'
      or exists (select from pg_timezone_names z where lower(z.name) = lower(time_zone_exists.name)));
exception
  when invalid_parameter_value then return false;
end
$function$;

-- unlisted_hidden_ids(), owned by tertulia_owner
-- called by tertulia_server, tertulia_trigger, tertulia_worker
-- calls viewer_id(), viewer_is_moderator()
CREATE OR REPLACE FUNCTION public.unlisted_hidden_ids()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return (
    select case when viewer_is_moderator() then blocked else blocked || blocked_by end
    from hidden_people where hidden_people.viewer_id = viewer_id());
end
$function$;

-- unspaced_characters(), owned by tertulia_owner
-- called by tertulia_server, tertulia_trigger
CREATE OR REPLACE FUNCTION public.unspaced_characters()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN '\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff'::text;

-- usage_figures(timestamp with time zone,timestamp with time zone,text), owned by tertulia_trigger
-- called by tertulia_server
-- calls refuse(text,text), viewer_is_administrator()
CREATE OR REPLACE FUNCTION public.usage_figures(since timestamp with time zone, until timestamp with time zone, unit text)
 RETURNS TABLE(kind text, at timestamp with time zone, count bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  step interval := ('1 ' || unit)::interval;
  first timestamptz := date_trunc(unit, since);
  past timestamptz := date_trunc(unit, until - interval '1 microsecond') + step;
begin
  if not viewer_is_administrator() then
    perform refuse('FORBIDDEN', 'ADMINISTRATORS_ONLY');
  end if;
  return query
  with figures as (
    select m.kind, date_trunc(unit, m.hour) as at, count(distinct m.account_id) as n
    from activity_marks m where m.hour >= first and m.hour < past group by 1, 2
    union all
    select 'RATING', date_trunc(unit, r.created_at), count(*)
    from thought_ratings r where r.created_at >= first and r.created_at < past group by 2
  )
  select k, a, coalesce(f.n, 0)
  from unnest(array['READ', 'WRITE', 'SIGN_UP', 'RATING']) as k
  cross join generate_series(first, past - step, step) as a
  left join figures f on f.kind = k and f.at = a
  order by a, k;
end
$function$;

-- username_is_taken(text,uuid), owned by tertulia_trigger
-- called by tertulia_server, tertulia_worker
-- calls username_skeleton(text)
CREATE OR REPLACE FUNCTION public.username_is_taken(name text, own_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (
    select from users where username_skeleton(username) = username_skeleton(name) and id is distinct from own_id)
$function$;

-- username_skeleton(text), owned by tertulia_owner
-- called by tertulia_server, tertulia_trigger, tertulia_worker
CREATE OR REPLACE FUNCTION public.username_skeleton(username text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN translate(replace(username, 'm'::text, 'rn'::text), '01'::text, 'Ol'::text);

-- viewer_blocked_owner(text,uuid), owned by tertulia_trigger
-- called by tertulia_server
-- calls viewer_id()
CREATE OR REPLACE FUNCTION public.viewer_blocked_owner(subject_type text, subject uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  owner uuid;
begin
  case subject_type
    when 'thought' then select author_id into owner from thoughts where id = subject and status = 'PUBLISHED';
    when 'event' then select author_id into owner from events where id = subject;
    when 'comment' then
      select c.author_id into owner from comments c left join thoughts t on t.id = c.thought_id
      where c.id = subject and (t.id is null or t.status = 'PUBLISHED');
    when 'user' then owner := subject;
    when 'conversation' then
      select pair_with into owner from conversation_members
      where conversation_id = subject and user_id = viewer_id() and left_at is null;
    when 'message' then
      select m.author_id into owner from messages m
      join conversation_members p on p.conversation_id = m.conversation_id
      where m.id = subject and p.user_id = viewer_id() and p.left_at is null and not m.number <@ p.absences;
    else return false;
  end case;
  return exists (select from blocks where blocker_id = viewer_id() and blocked_id = owner);
end
$function$;

-- viewer_hides(uuid), owned by tertulia_trigger
-- called by tertulia_server
-- calls viewer_id(), viewer_is_moderator()
CREATE OR REPLACE FUNCTION public.viewer_hides(person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return exists (select from blocks where blocker_id = viewer_id() and blocked_id = person)
    or exists (select from blocks where blocker_id = person and blocked_id = viewer_id())
      and not viewer_is_moderator();
end
$function$;

-- viewer_id(), owned by tertulia_owner
-- called by tertulia_server, tertulia_trigger, tertulia_worker
CREATE OR REPLACE FUNCTION public.viewer_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.viewer_id'::text, true), ''::text))::uuid;

-- viewer_image_bytes(), owned by tertulia_trigger
-- called by tertulia_server
-- calls viewer_id()
CREATE OR REPLACE FUNCTION public.viewer_image_bytes()
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return (select coalesce(sum(byte_size), 0) from images where owner_id = viewer_id());
end
$function$;

-- viewer_is_administrator(), owned by tertulia_owner
-- called by tertulia_trigger
-- calls viewer_id()
CREATE OR REPLACE FUNCTION public.viewer_is_administrator()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return exists (select from users where id = viewer_id() and role = 'ADMIN');
end
$function$;

-- viewer_is_member(), owned by tertulia_owner
-- called by tertulia_server, tertulia_trigger, tertulia_worker
-- calls viewer_id()
CREATE OR REPLACE FUNCTION public.viewer_is_member()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return exists (select from users where id = viewer_id() and not is_anonymous);
end
$function$;

-- viewer_is_moderator(), owned by tertulia_owner
-- called by tertulia_server, tertulia_trigger, tertulia_worker
-- calls viewer_id()
CREATE OR REPLACE FUNCTION public.viewer_is_moderator()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return exists (select from users where id = viewer_id() and role in ('MODERATOR', 'ADMIN'));
end
$function$;

-- viewer_participates(uuid), owned by tertulia_trigger
-- called by tertulia_server
-- calls viewer_id()
CREATE OR REPLACE FUNCTION public.viewer_participates(conversation uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return exists (
    select from conversation_members
    where conversation_id = conversation and user_id = viewer_id() and left_at is null);
end
$function$;

-- write_notifications(integer), owned by tertulia_trigger
-- called by tertulia_worker
-- calls enqueue_comments(xid8,integer), write_notifications_of_outbox(integer)
CREATE OR REPLACE FUNCTION public.write_notifications(batch integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  page constant integer := 4 * batch;
  is_more boolean;
begin
  -- The number of the lock, which the restore of a log takes too.
  if not pg_try_advisory_xact_lock(1852143475) then
    return 0;
  end if;
  is_more := enqueue_comments(pg_snapshot_xmin(pg_current_snapshot()), page) = page;
  return greatest(write_notifications_of_outbox(batch), case when is_more then batch end);
end
$function$;

-- write_notifications_of_outbox(integer), owned by tertulia_trigger
-- calls count_others(uuid[],uuid[]), notification_groups(bigint[],integer), notification_text(text,text,integer,text), queue_pushes(uuid[]), uuid_v7()
CREATE OR REPLACE FUNCTION public.write_notifications_of_outbox(batch integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  taken bigint[];
  groups notification_group[];
  ringing uuid[];
begin
  taken := array(select id from outbox where kind not in ('EVENT_CHANGED', 'EVENT_CANCELLED') order by id limit batch)
    || array(select id from outbox where kind in ('EVENT_CHANGED', 'EVENT_CANCELLED') order by id limit 1);
  if cardinality(taken) = 0 then
    return 0;
  end if;
  groups := array(select g from notification_groups(taken, batch) as g);
  while cardinality(groups) > 0 loop
    with written as (
      insert into notifications (id, user_id, kind, subject_type, subject_id, actor_id, actors, actor_count, text)
      select uuid_v7(), g.user_id, g.kind, g.subject_type, g.subject_id, g.actors[1], g.actors[1:20],
        cardinality(g.actors), notification_text(g.kind, g.actor_name, cardinality(g.actors) - 1, g.subject)
      from unnest(groups) as g order by g.user_id, g.kind, g.subject_id
      on conflict (user_id, kind, subject_id) where read_at is null do nothing
      returning id, user_id, kind, subject_id
    ), logged as (
      insert into change_log (type, object_id, before, after)
      select 'notification', id, null, row(user_id, 'UNREAD', null, null, null, null)::change_state from written
    )
    select array(
        select g from unnest(groups) as g
        where (g.user_id, g.kind, g.subject_id) not in (select user_id, kind, subject_id from written)),
      array(select id from written)
    into groups, ringing;
    perform queue_pushes(ringing);
    exit when cardinality(groups) = 0;

    with written as (
      update notifications n set
        actor_id = g.actors[1],
        actors = (g.actors || array(
          select a from unnest(n.actors) with ordinality as x (a, place) where a <> all (g.actors)
          order by place))[1:20],
        actor_count = n.actor_count + count_others(g.actors, n.actors),
        text = notification_text(
          g.kind, g.actor_name, n.actor_count + count_others(g.actors, n.actors) - 1, g.subject),
        -- At most once a minute: otherwise each reaction to a popular subject would add an entry to each index.
        created_at = case
          when now() < n.created_at + interval '1 minute' then n.created_at
          else date_trunc('milliseconds', now())
        end
      from unnest(groups) as g
      where n.user_id = g.user_id and n.kind = g.kind and n.subject_id = g.subject_id and n.read_at is null
        and (g.kind not in ('LIKE', 'RATING', 'RSVP') or not g.actors <@ n.actors)
      returning n.changed_in, n.id, n.user_id, n.kind
    ), logged as (
      insert into change_log (xid, type, object_id, before, after)
      select changed_in, 'notification', id, row(user_id, 'UNREAD', null, null, null, null)::change_state,
        row(user_id, 'UNREAD', null, null, null, null)::change_state
      from written
    )
    -- Another reaction to the same subject makes no device ring again.
    select array(select id from written where kind not in ('LIKE', 'RATING', 'RSVP')) into ringing;
    perform queue_pushes(ringing);
    -- A notification that was read meanwhile is followed by a new one.
    groups := array(
      select g from unnest(groups) as g where not exists (
        select from notifications n
        where n.user_id = g.user_id and n.kind = g.kind and n.subject_id = g.subject_id and n.read_at is null));
  end loop;

  with more as (
    update outbox n set notified_up_to = guest.user_id
    from outbox e, lateral (
      select user_id from event_rsvps
      where event_id = e.subject_id and (e.notified_up_to is null or user_id > e.notified_up_to)
      order by user_id offset batch - 1 limit 1
    ) as guest
    where n.id = e.id and e.id = any(taken) and e.kind in ('EVENT_CHANGED', 'EVENT_CANCELLED')
    returning n.id
  )
  delete from outbox where id = any(taken) and id not in (select id from more);
  return cardinality(taken);
end
$function$;

-- Types, views and roles ----------------------------------------------------------------------------------------------

CREATE TYPE change_state AS (
  owner uuid,
  status text,
  category text,
  "time" timestamp with time zone,
  subject uuid,
  extra jsonb
);

CREATE TYPE notification_group AS (
  user_id uuid,
  kind text,
  subject_type text,
  subject_id uuid,
  actors uuid[],
  actor_name text,
  subject text
);

CREATE ROLE tertulia_owner NOLOGIN NOSUPERUSER NOBYPASSRLS NOINHERIT;

CREATE ROLE tertulia_server NOLOGIN NOSUPERUSER NOBYPASSRLS NOINHERIT;

CREATE ROLE tertulia_trigger NOLOGIN NOSUPERUSER NOBYPASSRLS NOINHERIT;

CREATE ROLE tertulia_worker NOLOGIN NOSUPERUSER NOBYPASSRLS NOINHERIT;

GRANT CREATE, USAGE ON SCHEMA public TO tertulia_owner;

GRANT CREATE, USAGE ON SCHEMA public TO tertulia_trigger;

GRANT USAGE ON SCHEMA public TO tertulia_server;

GRANT USAGE ON SCHEMA public TO tertulia_worker;

-- Default privileges of tertulia_owner on f: {tertulia_owner=X/tertulia_owner}

CREATE EXTENSION plpgsql;
