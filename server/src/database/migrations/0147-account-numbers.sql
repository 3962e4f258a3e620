-- The number or UUID that a code host gave to an account. Where `value` is a login, which passes to others once it is given up, it tells
-- them apart, and finds the account again under another login.
alter table identity add column host_id text;
update identity set host_id = value where kind = 'bitbucket' and value like '{%';
create index identity_host_id on identity (org_id, kind, host_id) where host_id is not null;
