-- Whether a record says that a change has no approval that counts, and one that does not because whoever gave it had a part in the change.
alter table change_record add column self_approved boolean not null default false;
create index change_record_self_approved on change_record (org_id, merged_at) where self_approved;
