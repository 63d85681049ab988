-- NotAMember, zoe: 1 2

-- 1: worker
select k.user_id, k.password_hash, k.device_generation, k.email, u.username
  from credentials k
  join users u on u.id = k.user_id
  where k.user_id = $1;

-- 2: worker
select (not exists (select
  from users
  where id = $1) or exists (select
  from deleted_accounts
  where user_id = $2) or exists (select
  from account_merges
  where source_id = $3
  and (select is_anonymous
  from users
  where id = source_id)));

-- NothingToConfirm, ana: 3 4

-- 3: worker
select remaining, wait
  from take_rate($1, $2, $3, $4);

-- 4: worker
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
with account as (select k.user_id, coalesce(k.pending_email, case
  when k.email_verified_at is null then k.email end) as email
  from credentials k
  where k.user_id = viewer_id()), asked as (insert into mails (id, kind, recipient, user_id, detail) select $1, $2, m.*
  from (select email, user_id, null
  from account
  where email is not null) as m (recipient, user_id, detail)) select true
  where case
  when exists (select
  from account) then true
  when (not exists (select
  from users
  where id = viewer_id()) or exists (select
  from deleted_accounts
  where user_id = viewer_id()) or exists (select
  from account_merges
  where source_id = viewer_id()
  and (select is_anonymous
  from users
  where id = source_id))) then refuse('UNAUTHENTICATED')
  else refuse('FORBIDDEN', 'SIGN_UP_REQUIRED') end;
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- Wrong, ana: 1 5 6 1 5 1 5 7 3 8 1 5 6 1 6 1 5 1

-- 5: worker
select begin_sign_in($1, $2);

-- 6: worker
select username_is_taken($1, null), imitates_somebody($2, $3, null), exists (select
  from credentials
  where email = any($4));

-- 7: worker
delete
  from sign_in_attempts
  where login_hash = $1;

-- 8: worker
select
  from credentials
  where user_id = viewer_id() for update;
with changed as (update credentials k
  set updated_at = now(), pending_email = case
  when k.email <> all($1) then $2 end
  where k.user_id = viewer_id()
  and k.password_hash = $3
  and refuse_user_errors(array[case
  when exists (select
  from credentials o
  where o.email = any($4)
  and o.user_id <> viewer_id()) then 'TAKEN newEmail' end])
  returning k.user_id, k.email, k.pending_email), dead as (delete
  from one_time_tokens
  where user_id = (select user_id
  from changed)
  and purpose = 'CONFIRM_EMAIL'), asked as (insert into mails (id, kind, recipient, user_id, detail) select $5, $6, m.*
  from (select pending_email, user_id, null
  from changed
  where pending_email is not null) as m (recipient, user_id, detail)), mailed as (insert into mails (id, kind,
    recipient, user_id, detail) select $7, $8, m.*
  from (select email, user_id, pending_email
  from changed
  where pending_email is not null) as m (recipient, user_id, detail)) select true
  where case
  when exists (select
  from changed) then true
  when (not exists (select
  from users
  where id = viewer_id()) or exists (select
  from deleted_accounts
  where user_id = viewer_id()) or exists (select
  from account_merges
  where source_id = viewer_id()
  and (select is_anonymous
  from users
  where id = source_id))) then refuse('UNAUTHENTICATED')
  else refuse('USER_ERRORS', 'WRONG_CREDENTIALS password') end;
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- ChangeEmail, ana: 1 5 7 3 9

-- 9: worker
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
select
  from credentials
  where user_id = viewer_id() for update;
with changed as (update credentials k
  set updated_at = now(), pending_email = case
  when k.email <> all($1) then $2 end
  where k.user_id = viewer_id()
  and k.password_hash = $3
  and refuse_user_errors(array[case
  when exists (select
  from credentials o
  where o.email = any($4)
  and o.user_id <> viewer_id()) then 'TAKEN newEmail' end])
  returning k.user_id, k.email, k.pending_email), dead as (delete
  from one_time_tokens
  where user_id = (select user_id
  from changed)
  and purpose = 'CONFIRM_EMAIL'), asked as (insert into mails (id, kind, recipient, user_id, detail) select $5, $6, m.*
  from (select pending_email, user_id, null
  from changed
  where pending_email is not null) as m (recipient, user_id, detail)), mailed as (insert into mails (id, kind,
    recipient, user_id, detail) select $7, $8, m.*
  from (select email, user_id, pending_email
  from changed
  where pending_email is not null) as m (recipient, user_id, detail)) select true
  where case
  when exists (select
  from changed) then true
  when (not exists (select
  from users
  where id = viewer_id()) or exists (select
  from deleted_accounts
  where user_id = viewer_id()) or exists (select
  from account_merges
  where source_id = viewer_id()
  and (select is_anonymous
  from users
  where id = source_id))) then refuse('UNAUTHENTICATED')
  else refuse('USER_ERRORS', 'WRONG_CREDENTIALS password') end;
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- RequestEmailConfirmation, ana: 3 10

-- 10: worker
with account as (select k.user_id, coalesce(k.pending_email, case
  when k.email_verified_at is null then k.email end) as email
  from credentials k
  where k.user_id = viewer_id()), asked as (insert into mails (id, kind, recipient, user_id, detail) select $1, $2, m.*
  from (select email, user_id, null
  from account
  where email is not null) as m (recipient, user_id, detail)) select true
  where case
  when exists (select
  from account) then true
  when (not exists (select
  from users
  where id = viewer_id()) or exists (select
  from deleted_accounts
  where user_id = viewer_id()) or exists (select
  from account_merges
  where source_id = viewer_id()
  and (select is_anonymous
  from users
  where id = source_id))) then refuse('UNAUTHENTICATED')
  else refuse('FORBIDDEN', 'SIGN_UP_REQUIRED') end;
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- NoToken, ana: 11

-- 11: worker
select
  from credentials
  where user_id = (select user_id
  from one_time_tokens
  where hash = $1) for update;
with token as (delete
  from one_time_tokens
  where hash = $1
  and purpose = 'CONFIRM_EMAIL'
  and expires_at > now()
  returning user_id, email), confirmed as (update credentials k
  set email = t.email, email_verified_at = now(), pending_email = case
  when k.pending_email <> t.email then k.pending_email end, updated_at = now()
  from token t
  join credentials o on o.user_id = t.user_id
  where k.user_id = o.user_id
  and t.email in (o.email, o.pending_email)
  returning k.user_id, k.email, o.email as former), changed as (select *
  from confirmed
  where former <> email), dead as (delete
  from one_time_tokens
  where user_id = (select user_id
  from changed)
  and hash <> $2), mailed as (insert into mails (id, kind, recipient, user_id, detail) select $3, $4, m.*
  from (select former, user_id, email
  from changed) as m (recipient, user_id, detail)) select true
  where case
  when exists (select
  from confirmed) then true
  else refuse('USER_ERRORS', 'EXPIRED token') end;
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- OfAnotherPurpose, ana: 11

-- TooOld, ana: 11

-- ConfirmEmail, ana: 12

-- 12: worker
insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome)
  values ($1, $2, $3, $4, jsonb_build_object('id', $5));
select
  from credentials
  where user_id = (select user_id
  from one_time_tokens
  where hash = $1) for update;
with token as (delete
  from one_time_tokens
  where hash = $1
  and purpose = 'CONFIRM_EMAIL'
  and expires_at > now()
  returning user_id, email), confirmed as (update credentials k
  set email = t.email, email_verified_at = now(), pending_email = case
  when k.pending_email <> t.email then k.pending_email end, updated_at = now()
  from token t
  join credentials o on o.user_id = t.user_id
  where k.user_id = o.user_id
  and t.email in (o.email, o.pending_email)
  returning k.user_id, k.email, o.email as former), changed as (select *
  from confirmed
  where former <> email), dead as (delete
  from one_time_tokens
  where user_id = (select user_id
  from changed)
  and hash <> $2), mailed as (insert into mails (id, kind, recipient, user_id, detail) select $3, $4, m.*
  from (select former, user_id, email
  from changed) as m (recipient, user_id, detail)) select true
  where case
  when exists (select
  from confirmed) then true
  else refuse('USER_ERRORS', 'EXPIRED token') end;
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- Used, ben: 11

-- WithoutASession, nobody: 11

-- Confirmed, ben: 13

-- 13: read
select u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email,
    k.email_verified_at is not null, k.pending_email
  from users u
  left join credentials k on k.user_id = u.id
  where u.id = viewer_id();

-- TakenBack, ana: 1 5 7 3 8 1 5 7 8

-- TakenMeanwhile, ana: 11
