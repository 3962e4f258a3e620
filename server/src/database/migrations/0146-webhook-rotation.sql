-- While the secret of a webhook is rotated, its deliveries may be signed with the previous one: until the sender has the new one
-- (`previous_until` is null), and for some minutes after that.
alter table code_host_hook add column previous_secret bytea, add column previous_until timestamptz;
alter table integration add column previous_hook_secret bytea, add column previous_hook_until timestamptz;
