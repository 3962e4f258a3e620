-- The grant under which a window reports, so that it is gone with it. Unknown for those that reported before.
alter table extension_session add grant_id uuid;
