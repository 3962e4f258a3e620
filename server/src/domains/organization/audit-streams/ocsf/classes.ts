import type { AuditAction } from '@sightline/contract/organization/audit-actions.ts';

/** The version of the Open Cybersecurity Schema Framework that events are written in. */
export const OCSF_VERSION = '1.9.0';

/** The classes of OCSF that audit entries map to, all of category 3, Identity & Access Management, with the activities in use. */
export const eventClasses = {
  authentication: { uid: 3002, name: 'Authentication', activities: { Logon: 1, Logoff: 2, Preauth: 6, Other: 99 } },
  entity: {
    uid: 3004,
    name: 'Entity Management',
    activities: {
      ...{ Create: 1, Read: 2, Update: 3, Delete: 4, Move: 5, Enroll: 6, Unenroll: 7, Enable: 8, Disable: 9 },
      ...{ Suspend: 12, Resume: 13, Other: 99 },
    },
  },
  user: {
    uid: 3007,
    name: 'User Management',
    activities: {
      ...{ Create: 1, Update: 2, Delete: 3, Enable: 4, Disable: 5, 'Password Change': 8, 'Password Reset': 9 },
      ...{ 'Enable MFA Factors': 12, 'Disable MFA Factors': 13, 'Assign Roles': 16 },
      ...{ 'Add Programmatic Credentials': 18, 'Remove Programmatic Credentials': 19, Other: 99 },
    },
  },
} as const;
export type EventClassName = keyof typeof eventClasses;

/** What an action is in OCSF. */
export interface EventType {
  className: EventClassName;
  activity: string;
  activityId: number;
  failed: boolean;
  /** Informational, low, medium or high. */
  severityId: 1 | 2 | 3 | 4;
}

type Options = Partial<Pick<EventType, 'failed' | 'severityId'>>;

const typeOf =
  <Name extends EventClassName>(className: Name) =>
  (activity: keyof (typeof eventClasses)[Name]['activities'] & string, options: Options = {}): EventType => ({
    className,
    activity,
    activityId: (eventClasses[className].activities as Record<string, number>)[activity] ?? 99,
    failed: false,
    severityId: 1,
    ...options,
  });

const authentication = typeOf('authentication');
const entity = typeOf('entity');
const user = typeOf('user');

const attempt: Options = { failed: true, severityId: 3 };
const sensitive: Options = { severityId: 2 };
const alarming: Options = { severityId: 4 };

/** Every action and its class: one that is missing here does not compile. */
const eventTypes: Record<AuditAction, EventType> = {
  'organization.created': entity('Create'),
  'organization.updated': entity('Update'),
  'organization.archived': entity('Disable', sensitive),
  'organization.restored': entity('Enable'),
  'organization.second_factor_required': entity('Update', sensitive),
  'organization.session_policy_changed': entity('Update', sensitive),
  'organization.sso_changed': entity('Update', sensitive),
  'organization.domain_added': entity('Update'),
  'organization.domain_verified': entity('Update', sensitive),
  'organization.domain_removed': entity('Update', sensitive),
  'member.left': user('Delete'),
  'member.role_changed': user('Assign Roles', sensitive),
  'member.deactivated': user('Disable'),
  'member.reinstated': user('Enable', sensitive),
  'member.removed': user('Delete'),
  'member.joined': user('Create'),
  'member.added': user('Create', sensitive),
  'member.activated': user('Enable'),
  'invitation.sent': entity('Create'),
  'invitation.resent': entity('Update'),
  'invitation.revoked': entity('Delete'),
  'invitation.declined': entity('Delete'),
  'account.signed_in': authentication('Logon'),
  'login.succeeded': authentication('Logon'),
  'login.failed': authentication('Logon', attempt),
  'login.break_glass_used': authentication('Logon', sensitive),
  'login.ended': authentication('Logoff'),
  'login.session_ended': authentication('Logoff'),
  'login.second_factor_passed': authentication('Preauth'),
  'login.second_factor_failed': authentication('Preauth', attempt),
  'login.password_reset': user('Password Reset', sensitive),
  'login.password_changed': user('Password Change', sensitive),
  'login.token_issued': user('Add Programmatic Credentials', sensitive),
  'login.second_factor_added': user('Enable MFA Factors', sensitive),
  'login.second_factor_removed': user('Disable MFA Factors', sensitive),
  'login.recovery_codes_renewed': user('Update', sensitive),
  'identity.linked': user('Update', sensitive),
  'identity.unlinked': user('Update', sensitive),
  'identity.refused': authentication('Logon', { failed: true, severityId: 4 }),
  'extension.signed_in': authentication('Logon'),
  'extension.signed_out': authentication('Logoff'),
  'account.created': user('Create'),
  'account.merged': user('Update', sensitive),
  'account.described': user('Update'),
  'person.erased': entity('Delete', sensitive),
  'person.united': entity('Update'),
  'person.merged': entity('Update'),
  'person.merge_dismissed': entity('Update'),
  'person.merge_undone': entity('Update'),
  'collected.exported': entity('Read', sensitive),
  'erasure.requested': entity('Other'),
  'erasure.withdrawn': entity('Other'),
  'erasure.refused': entity('Other'),
  'integration.connected': entity('Create', sensitive),
  'integration.disconnected': entity('Delete', sensitive),
  'integration.changed': entity('Update', sensitive),
  'integration.status_check_made': entity('Update'),
  'integration.status_check_removed': entity('Update'),
  'integration.sync_requested': entity('Other'),
  'integration.suspended': entity('Suspend'),
  'integration.resumed': entity('Resume'),
  'integration.permissions_changed': entity('Update', sensitive),
  'integration.requested': entity('Other'),
  'scanner_project.matched': entity('Update'),
  'repository.enabled': entity('Enroll'),
  'repository.disabled': entity('Unenroll', sensitive),
  'repository.import_requested': entity('Other'),
  'repository.renamed': entity('Move'),
  'repository.removed': entity('Delete'),
  'repository.restored': entity('Enable'),
  'repository.alerts_requested': entity('Other'),
  'repository.ref_retired': entity('Update'),
  'repository.missing_classes_changed': entity('Update'),
  'access_key.created': entity('Create', sensitive),
  'access_key.revoked': entity('Delete'),
  'webhook.created': entity('Create', sensitive),
  'destination.allowed': entity('Create', sensitive),
  'destination.revoked': entity('Delete', sensitive),
  'webhook.updated': entity('Update', sensitive),
  'webhook.deleted': entity('Delete'),
  'webhook.secret_rotated': entity('Update', sensitive),
  'webhook.tested': entity('Other'),
  'webhook.redelivered': entity('Other'),
  'webhook.given_up': entity('Disable', sensitive),
  'flag.changed': entity('Update'),
  'finding.dismissed': entity('Update'),
  'finding.reopened': entity('Update'),
  'finding.exception_requested': entity('Update'),
  'finding.exception_approved': entity('Update', sensitive),
  'finding.exception_refused': entity('Update'),
  'finding.exception_withdrawn': entity('Update'),
  'finding.exception_expired': entity('Update'),
  'finding.merged': entity('Update'),
  'finding.split': entity('Update'),
  'finding.exported': entity('Read', sensitive),
  'access_review.opened': entity('Create'),
  'access_review.extended': entity('Update'),
  'access_review.decided': entity('Update'),
  'access_review.signed': entity('Update'),
  'policy.created': entity('Create', sensitive),
  'policy.changed': entity('Update', sensitive),
  'policy.deleted': entity('Delete', sensitive),
  'policy.restored': entity('Enable'),
  'exception.requested': entity('Create'),
  'exception.approved': entity('Enable', sensitive),
  'exception.refused': entity('Update'),
  'exception.withdrawn': entity('Delete'),
  'exception.ended': entity('Disable'),
  'exception.expired': entity('Disable'),
  'scan.imported': entity('Update'),
  'event.exported': entity('Read', sensitive),
  'event.expired': entity('Delete'),
  'notification.defaults_changed': entity('Update'),
  'view.shared': entity('Create'),
  'view.unshared': entity('Delete'),
  'view.updated': entity('Update'),
  'view.deleted': entity('Delete'),
  'tool.exported': entity('Read', sensitive),
  'audit.exported': entity('Read', sensitive),
  'ledger.epoch_closed': entity('Update', alarming),
  'ledger.key_rotated': entity('Update', sensitive),
  'ledger.anchor_added': entity('Update'),
  'ledger.anchor_changed': entity('Update'),
  'ledger.anchor_removed': entity('Update', sensitive),
  'ledger.anchor_asked': entity('Other'),
  'ledger.anchor_address_requested': entity('Other'),
  'ledger.anchor_address_confirmed': entity('Update', sensitive),
  'digest.reviewed': entity('Update'),
  'control.run_requested': entity('Other'),
  'snapshot.requested': entity('Create'),
  'room.opened': entity('Create', sensitive),
  'room.entered': entity('Read'),
  'room.viewed': entity('Read'),
  'room.sampled': entity('Read'),
  'room.downloaded': entity('Read', sensitive),
  'room.requested': entity('Update'),
  'room.answered': entity('Update'),
  'room.revoked': entity('Delete'),
  'room.closed': entity('Disable'),
  'exporter.added': entity('Create', sensitive),
  'exporter.changed': entity('Update', sensitive),
  'exporter.removed': entity('Delete'),
  'exporter.tested': entity('Other'),
  'exporter.snapshot_requested': entity('Other'),
  'exporter.snapshot_sent': entity('Other'),
  'exporter.snapshot_failed': entity('Other', attempt),
  'audit_stream.created': entity('Create', sensitive),
  'audit_stream.updated': entity('Update', alarming),
  'audit_stream.deleted': entity('Delete', alarming),
  'audit_stream.secret_rotated': entity('Update', sensitive),
  'audit_stream.tested': entity('Other'),
};

/** The class of an action as a row names it; one that this version does not know is a change that it cannot name. */
export const eventTypeOf = (action: string): EventType =>
  Object.hasOwn(eventTypes, action) ? eventTypes[action as AuditAction] : entity('Other');
