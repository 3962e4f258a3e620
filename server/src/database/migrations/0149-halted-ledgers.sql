-- For readiness and metrics: how many, never whose.
create function halted_ledgers() returns int language sql stable security definer set search_path = public
  as $$ select count(*)::int from ledger_log where closed_at is null and halted_because is not null $$;
grant select (closed_at, halted_because) on ledger_log to sightline_lookup;
alter function halted_ledgers() owner to sightline_lookup;
revoke all on function halted_ledgers() from public;
grant execute on function halted_ledgers() to sightline_app;
