-- Upload, ana: 1

-- 1: write
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
select store_image($1, $2, $3, $4, $5, $6, $7)
  where true;
select i.id, i.mime_type, i.width, i.height, i.byte_size, image_is_public(i.id, i.owner_id)
  from images i
  where i.id = any($1)
  and (image_is_public(i.id,
    i.owner_id) or (i.owner_id = any((select people_hidden_from_viewer())::uuid[])) is not true);

-- Again, ana: 1 2 3

-- 2: write
select input_hash, created_at < now() - interval '30 days', (outcome ->> 'id')::uuid, (outcome ->> 'subject')::uuid,
    array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created'
  from idempotency
  where account_id = $1
  and mutation = $2
  and client_mutation_id = $3;

-- 3: write
select i.id, i.mime_type, i.width, i.height, i.byte_size, image_is_public(i.id, i.owner_id)
  from images i
  where i.id = any($1)
  and (image_is_public(i.id,
    i.owner_id) or (i.owner_id = any((select people_hidden_from_viewer())::uuid[])) is not true);

-- AnotherFile, ana: 1 2

-- Node, nobody: 4

-- 4: read
select i.id, i.mime_type, i.width, i.height, i.byte_size, image_is_public(i.id, i.owner_id)
  from images i
  where i.id = any($1)
  and (image_is_public(i.id,
    i.owner_id) or (i.owner_id = any((select people_hidden_from_viewer())::uuid[])) is not true);
