-- The ledger entry that records who connected a code host, so that evidence can name it.
alter table installation add column connection_entry uuid;
alter table code_host_grant add column connection_entry uuid;
