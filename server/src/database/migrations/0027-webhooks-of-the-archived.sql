-- Asked by the job that deletes bodies of webhooks: what came for an organisation that cannot be restored any more will
-- never be worked off.
grant select (archived_at) on organization to sightline_lookup;
create function orgs_archived_with_webhooks(before timestamptz) returns setof uuid
  language sql stable security definer set search_path = public
  as $$
    select w.org_id from (select distinct org_id from webhook_delivery where processed_at is null) w
    cross join lateral (select from organization o where o.id = w.org_id and o.archived_at < before offset 0) o
  $$;
alter function orgs_archived_with_webhooks(timestamptz) owner to sightline_lookup;
revoke all on function orgs_archived_with_webhooks(timestamptz) from public;
grant execute on function orgs_archived_with_webhooks(timestamptz) to sightline_app;
