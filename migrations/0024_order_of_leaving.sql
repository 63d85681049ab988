-- The row of the log about a participant who leaves stands behind the rows of the messages that were sent before. The
-- newest message has left the number under which it is filed in the `changed_in` of the conversation, whose row is
-- locked.
set local role tertulia_trigger;

create or replace function leave_conversation(conversation uuid) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
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
$$;

reset role;
