-- An archived organisation is read-only for its owners; everybody else is deactivated until it is restored. What each
-- of them was before stands here, so that restoring brings exactly those back and in the state they were in.
alter table organization add column archived_by uuid;
alter table member add column status_before_archive text check (status_before_archive in ('accepted', 'active'));
