-- What the latest scan changed is told beside how many findings are open, so it counts those: not what a scanner found and
-- itself says does not count, nor what is gone from one branch and stands on another.
-- How many findings are open now that were not, and the other way round; null in scans of earlier releases.
alter table scan add column opened int, add column closed int;

create or replace function note_latest_scan() returns trigger language plpgsql as $$
begin
  insert into scan_latest as l (org_id, repository_id, tool, source, category, state, finished_at, done_at, added, fixed)
  values (new.org_id, new.repository_id, new.tool, new.source, new.category, new.state, clock_timestamp(),
    case when new.state = 'done' then new.received_at end,
    coalesce(new.opened, (new.counts->>'new')::int + (new.counts->>'reopened')::int, 0),
    coalesce(new.closed, (new.counts->>'fixed')::int, 0))
  on conflict (org_id, repository_id, tool, source, category) do update set state = excluded.state, finished_at = excluded.finished_at,
    done_at = coalesce(excluded.done_at, l.done_at),
    added = case when excluded.state = 'done' then excluded.added else l.added end,
    fixed = case when excluded.state = 'done' then excluded.fixed else l.fixed end;
  return null;
end $$;
