-- What comments are on and whose that is, seen or not: a subscription to comments by their ids follows the thoughts that they
-- stand on, of which each may become a draft again.
create function comment_places(ids uuid[])
  returns table (id uuid, author_id uuid, thought_id uuid, owner_id uuid, is_draft boolean)
  language plpgsql stable security definer rows 100
  set search_path = public, pg_temp
as $$
begin
  return query select c.id, c.author_id, t.id, t.author_id, t.status = 'DRAFT'
    from comments c join thoughts t on t.id = c.thought_id where c.id = any(ids);
end
$$;
revoke execute on function comment_places(uuid[]) from public;
grant execute on function comment_places(uuid[]) to tertulia_worker;
alter function comment_places(uuid[]) owner to tertulia_trigger;
