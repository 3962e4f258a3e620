-- How far the mail of an invitation got, so that nobody waits for an answer to a mail that never left.
alter table invitation add column mailed_at timestamptz;
alter table invitation add column mail_failed_at timestamptz;

-- One open invitation for an address. Also what the list of members reads.
create unique index invitation_open on invitation (org_id, email)
  where accepted_at is null and declined_at is null and revoked_at is null;
create index invitation_created on invitation (org_id, created_at);

-- Is this the only owner left?
create index member_owners on member (org_id, account_id) where role_id = 'rol_owner' and status = 'active';

-- Whoever opens pull requests as an agent is nobody to invite.
create index pull_request_agents on pull_request (org_id, author_person) where author_is_agent;
