-- The body of a delivery is deleted some time after it was worked off. The row stays: what comes again under its id is
-- still known.
alter table webhook_delivery add column body_deleted_at timestamptz;
create index webhook_with_body on webhook_delivery (org_id, processed_at) where processed_at is not null and body_deleted_at is null;

-- Asked by the job that deletes them: whose are there?
grant select (received_at, body_deleted_at) on webhook_delivery to sightline_lookup;
create function orgs_with_old_webhooks(before timestamptz) returns setof uuid language sql stable security definer set search_path = public
  as $$
    select distinct org_id from webhook_delivery where processed_at < before and body_deleted_at is null
  $$;
alter function orgs_with_old_webhooks(timestamptz) owner to sightline_lookup;
revoke all on function orgs_with_old_webhooks(timestamptz) from public;
grant execute on function orgs_with_old_webhooks(timestamptz) to sightline_app;
