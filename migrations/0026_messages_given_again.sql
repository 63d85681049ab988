-- A message that is given the id of a deleted message is filed no lower than the deletion. The number of its conversation
-- is now no lower than that. The number of the conversation of any other message already was. Before, a participant who
-- left could be filed below the message, if the transactions that sent it and that left had begun before the one that
-- deleted.
set local role tertulia_trigger;

create or replace function log_message_changes() returns trigger
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
$$;

reset role;
