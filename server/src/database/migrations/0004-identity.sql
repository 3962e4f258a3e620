-- The owners of the organisations a signed-in person belongs to, asked before one of them is chosen.
create policy lookup on member for select to sightline_lookup using (true);
grant select (org_id, account_id, role_id, status) on member to sightline_lookup;
-- About twenty rows: the planner would guess a thousand and read every account to find them.
create function owners_of_own_organizations() returns table (org_id uuid, account_id uuid)
  language sql stable security definer rows 20 set search_path = public
  as $$
    select o.org_id, o.account_id from member m join member o on o.org_id = m.org_id
    where m.account_id = app_account() and m.status <> 'deactivated'
      and o.role_id = 'rol_owner' and o.status <> 'deactivated'
  $$;
alter function owners_of_own_organizations() owner to sightline_lookup;
revoke all on function owners_of_own_organizations() from public;
grant execute on function owners_of_own_organizations() to sightline_app;

-- How often something was tried lately, over all processes. Keys are hashes: no address is kept here.
create table attempt (
  key bytea primary key,
  count integer not null,
  started_at timestamptz not null,
  last_at timestamptz not null
);
create index attempt_last on attempt (last_at);

-- Two tabs that finish a sign-in at the same moment both write the session under its one uid.
drop index oidc_payload_uid;
create index oidc_payload_uid on oidc_payload (model, uid) where uid is not null;
