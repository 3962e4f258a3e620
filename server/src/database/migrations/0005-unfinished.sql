-- Asked at the start: which organisations have work that a crash may have left behind?
create policy lookup on webhook_delivery for select to sightline_lookup using (true);
create policy lookup on repository_import for select to sightline_lookup using (true);
grant select (org_id, processed_at) on webhook_delivery to sightline_lookup;
create policy lookup on event_term_pending for select to sightline_lookup using (true);
grant select (org_id, state) on repository_import to sightline_lookup;
grant select (org_id) on event_term_pending to sightline_lookup;
create index webhook_unprocessed on webhook_delivery (org_id, received_at, delivery_id) where processed_at is null;
create index repository_import_unfinished on repository_import (org_id) where state in ('queued', 'running', 'waiting');
create function orgs_with_unfinished_work() returns setof uuid language sql stable security definer set search_path = public
  as $$
    select org_id from webhook_delivery where processed_at is null
    union
    select org_id from repository_import where state in ('queued', 'running', 'waiting')
    union
    select org_id from event_term_pending
  $$;
alter function orgs_with_unfinished_work() owner to sightline_lookup;
revoke all on function orgs_with_unfinished_work() from public;
grant execute on function orgs_with_unfinished_work() to sightline_app;
