-- A row of the log about a participant tells the other participant of a conversation of two. A live list may name the
-- conversation, or a message in it, before the conversation begins. A block of the other participant hides both.
set local role tertulia_trigger;

create or replace function log_member_change() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
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
$$;

reset role;
