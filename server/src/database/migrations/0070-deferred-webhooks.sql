-- A delivery that needs a code host whose rate limit is exhausted is worked off again from then on; the others need not wait for it.
alter table webhook_delivery add column not_before timestamptz;
