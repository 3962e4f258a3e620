-- The body of a webhook, packed with Brotli (RFC 7932), where it is long: the server packs it in a fraction of the time that PostgreSQL
-- takes, and sends a tenth of the bytes. Then `body` is empty. Packing it once more would cost and save nothing.
alter table webhook_delivery add column packed bytea;
alter table webhook_delivery alter column packed set storage external;
