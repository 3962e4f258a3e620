-- For metrics: how much of everything waits in this installation, never whose. Rows are counted up to 100,000.
grant select (signed_at) on ledger_log to sightline_lookup;
grant select (received_at) on webhook_delivery to sightline_lookup;
grant select (events) on posting_pending to sightline_lookup;
create policy lookup on code_host_grant for select to sightline_lookup using (true);
grant select (ended_at, failure) on code_host_grant to sightline_lookup;
create function installation_backlog() returns table (
  ledger_entries bigint,
  ledger_seconds double precision,
  unsigned_ledgers bigint,
  unsigned_seconds double precision,
  halted_ledgers bigint,
  search_events bigint,
  clickhouse_batches bigint,
  webhooks bigint,
  webhook_seconds double precision,
  refused_code_hosts bigint
) language sql stable security definer set search_path = public
  as $$
    select ledger.entries, ledger.seconds, logs.unsigned, logs.unsigned_seconds, logs.halted, search.events, copies.batches, hooks.waiting, hooks.seconds,
      grants.refused
    from
      (select count(*) as entries, coalesce(extract(epoch from clock_timestamp() - min(queued_at)), 0)::double precision as seconds
        from (select queued_at from ledger_pending limit 100000) few) ledger,
      (select count(*) filter (where size > signed_size) as unsigned,
          coalesce(extract(epoch from clock_timestamp() - min(coalesce(signed_at, to_timestamp(0))) filter (where size > signed_size)), 0)::double precision
            as unsigned_seconds,
          count(*) filter (where halted_because is not null) as halted
        from ledger_log where closed_at is null) logs,
      (select coalesce(sum(events), 0)::bigint as events from (select events from posting_pending limit 100000) few) search,
      (select count(*) as batches from (select from event_copy_pending limit 100000) few) copies,
      (select count(*) as waiting, coalesce(extract(epoch from clock_timestamp() - min(received_at)), 0)::double precision as seconds
        from (select received_at from webhook_delivery where processed_at is null limit 100000) few) hooks,
      (select count(*) as refused from code_host_grant where ended_at is null and failure is not null) grants
  $$;
alter function installation_backlog() owner to sightline_lookup;
revoke all on function installation_backlog() from public;
grant execute on function installation_backlog() to sightline_app;

create function imports_by_state() returns table (state text, imports bigint) language sql stable security definer set search_path = public
  as $$ select state, count(*) from repository_import group by state $$;
alter function imports_by_state() owner to sightline_lookup;
revoke all on function imports_by_state() from public;
grant execute on function imports_by_state() to sightline_app;
