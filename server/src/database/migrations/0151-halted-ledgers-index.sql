-- Readiness counts halted ledgers every few seconds.
create index ledger_log_halted on ledger_log (org_id) where closed_at is null and halted_because is not null;
