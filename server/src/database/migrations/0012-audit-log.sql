-- The audit log is read by what happened, by whom and to what, always newest first.
create index audit_event_action on audit_event (org_id, action, at desc, id desc);
create index audit_event_actor on audit_event (org_id, actor_kind, actor_id, at desc, id desc);
create index audit_event_subject on audit_event (org_id, subject_kind, subject_id, at desc, id desc);
create index audit_event_subject_kind on audit_event (org_id, subject_kind, at desc, id desc);
