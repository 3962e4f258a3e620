-- Asked by the job that deletes bodies of webhooks: what came for an organisation that cannot be restored any more will
-- never be worked off.
grant select (archived_at) on organization to sightline_lookup;
create function orgs_archived_with_webhooks(before timestamptz) returns setof uuid
  language sql stable security definer set search_path = public
  as $$
    select o.id from organization o
    where o.archived_at < before
      and exists (select from webhook_delivery w where w.org_id = o.id and w.processed_at is null)
  $$;
alter function orgs_archived_with_webhooks(timestamptz) owner to sightline_lookup;
revoke all on function orgs_archived_with_webhooks(timestamptz) from public;
grant execute on function orgs_archived_with_webhooks(timestamptz) to sightline_app;
