-- A first scan changes nothing since the last one: null until a scanner has scanned a repository twice.
alter table scan_latest alter column added drop not null, alter column added drop default,
  alter column fixed drop not null, alter column fixed drop default;

create or replace function note_latest_scan() returns trigger language plpgsql as $$
declare
  opened int := coalesce(new.opened, (new.counts->>'new')::int + (new.counts->>'reopened')::int, 0);
  closed int := coalesce(new.closed, (new.counts->>'fixed')::int, 0);
begin
  insert into scan_latest as l (org_id, repository_id, tool, source, category, state, finished_at, done_at)
  values (new.org_id, new.repository_id, new.tool, new.source, new.category, new.state, clock_timestamp(),
    case when new.state = 'done' then new.received_at end)
  on conflict (org_id, repository_id, tool, source, category) do update set state = excluded.state, finished_at = excluded.finished_at,
    done_at = coalesce(excluded.done_at, l.done_at),
    added = case when excluded.state = 'failed' then l.added when l.done_at is not null then opened end,
    fixed = case when excluded.state = 'failed' then l.fixed when l.done_at is not null then closed end;
  return null;
end $$;
