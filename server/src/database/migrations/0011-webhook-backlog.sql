-- The backlog omits webhooks of a GitHub installation that no organization has connected: no job processes them, and
-- they are deleted with the bodies of the others.
create or replace function installation_backlog()
  returns table(ledger_entries bigint, ledger_seconds float8, unsigned_ledgers bigint, unsigned_seconds float8, halted_ledgers bigint, search_events bigint, clickhouse_batches bigint, webhooks bigint, webhook_seconds float8, refused_code_hosts bigint) language sql stable security definer
  set search_path = public as $$
    select ledger.entries, ledger.seconds, logs.unsigned, logs.unsigned_seconds, logs.halted, search.events, copies.batches, hooks.waiting, hooks.seconds,
      grants.refused
    from
      (select count(*) as entries, coalesce(extract(epoch from clock_timestamp() - min(queued_at)), 0)::double precision as seconds
        from (select queued_at from ledger_pending limit 100000) few) ledger,
      (select count(*) filter (where size > signed_size) as unsigned,
          coalesce(extract(epoch from clock_timestamp() - min(coalesce(signed_at, to_timestamp(0))) filter (where size > signed_size)), 0)::double precision
            as unsigned_seconds,
          count(*) filter (where halt_reason is not null) as halted
        from ledger_log where closed_at is null) logs,
      (select coalesce(sum(events), 0)::bigint as events from (select events from posting_pending limit 100000) few) search,
      (select count(*) as batches from (select from event_copy_pending limit 100000) few) copies,
      (select count(*) as waiting, coalesce(extract(epoch from clock_timestamp() - min(received_at)), 0)::double precision as seconds
        from (select received_at from webhook_delivery
          where processed_at is null and org_id > '00000000-0000-0000-0000-000000000000' limit 100000) few) hooks,
      (select count(*) as refused from code_host_grant where ended_at is null and failure is not null) grants
$$;
