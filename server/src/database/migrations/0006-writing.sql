-- A foreign key makes every entry lock the organisation's row, and writers of one organisation wait for each other's
-- locks. Organisations are never deleted, and row-level security binds the entry to the one that is named.
alter table ledger_pending drop constraint ledger_pending_org_id_fkey;

-- Bodies of webhooks are tens of kilobytes: lz4 packs them in a fraction of the time of the default.
do $$
begin
  alter table webhook_delivery alter column body set compression lz4;
exception when feature_not_supported then null; -- PostgreSQL built without it
end $$;
