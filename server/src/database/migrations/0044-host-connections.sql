-- A grant that was taken back or replaced. Its secrets are forgotten once the webhooks made with it are taken away.
alter table code_host_grant add column ended_at timestamptz;
-- What it may do too little for, as the last look at the host showed, each as a sentence.
alter table code_host_grant add column missing text[] not null default '{}';

-- Proves, sealed, that the browser that comes back from a code host is the one that was sent there.
alter table install_state add column verifier bytea;
