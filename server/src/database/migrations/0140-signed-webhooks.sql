-- When a delivery of this webhook was first signed: from then on every delivery must be.
alter table code_host_hook add column signed_at timestamptz;

-- SHA-256 of the bytes that were signed, for hosts whose events all differ. Sent again under another id, which no host signs, they are
-- the same delivery.
alter table webhook_delivery add column sha256 bytea;
create unique index webhook_delivery_bytes on webhook_delivery (org_id, provider, sha256);
