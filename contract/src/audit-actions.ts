/** Whose change an entry tells of, in words for a filter. */
export const auditSubjects = {
  organization: 'Organization',
  member: 'Member',
  invitation: 'Invitation',
  account: 'Sign-in',
  installation: 'Integration',
  repository: 'Repository',
  flag: 'Feature flag',
  audit_log: 'Audit log',
} as const;
export type AuditSubject = keyof typeof auditSubjects;

interface Action {
  subject: AuditSubject;
  /** In a list of actions: 'Role changed'. */
  label: string;
  /**
   * What follows the name of whoever did it. `{subject}` stands for what it was done to, `{before.role}` and
   * `{data.account}` for what the entry holds; a part in square brackets is left out where a value in it is missing.
   */
  says: string;
}

/**
 * Every action of the audit log: noun.verb in the past. A command can record no other one, so that none is ever
 * without a sentence. Names stay for ever: old entries hold them.
 */
export const auditActions = {
  'organization.created': {
    subject: 'organization',
    label: 'Organization created',
    says: 'created the organization {subject}',
  },
  'organization.updated': {
    subject: 'organization',
    label: 'Organization changed',
    says: 'changed the settings of {subject}',
  },
  'organization.archived': { subject: 'organization', label: 'Organization archived', says: 'archived {subject}' },
  'organization.restored': { subject: 'organization', label: 'Organization restored', says: 'restored {subject}' },
  'member.left': { subject: 'member', label: 'Member left', says: 'left the organization[, as {data.role}]' },
  'organization.updated': {
    subject: 'organization',
    label: 'Organization settings changed',
    says: 'changed the settings of {subject}',
  },
  'organization.archived': {
    subject: 'organization',
    label: 'Organization archived',
    says: 'archived the organization {subject}',
  },
  'organization.restored': {
    subject: 'organization',
    label: 'Organization restored',
    says: 'restored the organization {subject}',
  },
  'invitation.sent': {
    subject: 'invitation',
    label: 'Invitation sent',
    says: 'invited {subject}[ as {data.role}]',
  },
  'invitation.resent': { subject: 'invitation', label: 'Invitation sent again', says: 'invited {subject} again' },
  'invitation.revoked': {
    subject: 'invitation',
    label: 'Invitation revoked',
    says: 'revoked the invitation of {subject}',
  },
  'invitation.declined': { subject: 'invitation', label: 'Invitation declined', says: 'declined the invitation' },
  'member.role_changed': {
    subject: 'member',
    label: 'Role changed',
    says: 'changed the role of {subject}[ from {before.role} to {after.role}]',
  },
  'member.deactivated': { subject: 'member', label: 'Member deactivated', says: 'deactivated {subject}' },
  'member.reinstated': { subject: 'member', label: 'Member reinstated', says: 'reinstated {subject}' },
  'member.removed': { subject: 'member', label: 'Member removed', says: 'removed {subject} from the organization' },
  'member.left': { subject: 'member', label: 'Member left', says: 'left the organization' },
  'member.joined': { subject: 'member', label: 'Member joined', says: 'joined the organization[ as {data.role}]' },
  'member.added': { subject: 'member', label: 'Member added', says: 'made {subject} a member[ as {data.role}]' },
  'member.activated': { subject: 'member', label: 'Member arrived', says: 'signed in for the first time' },
  'account.signed_in': { subject: 'account', label: 'Signed in', says: 'signed in' },
  'login.succeeded': { subject: 'account', label: 'Signed in', says: 'signed in[ with {data.connection}]' },
  'login.failed': { subject: 'account', label: 'Sign-in failed', says: 'failed to sign in as {subject}' },
  'login.ended': { subject: 'account', label: 'Signed out', says: 'signed out' },
  'login.password_reset': {
    subject: 'account',
    label: 'Password reset',
    says: 'chose a new password by a link in a mail',
  },
  'login.token_issued': {
    subject: 'account',
    label: 'Access token issued',
    says: 'issued an access token of {subject}[ for {data.minutes} minutes]',
  },
  'login.second_factor_added': {
    subject: 'account',
    label: 'Second factor added',
    says: 'added a second factor[, {data.factor}]',
  },
  'login.second_factor_removed': {
    subject: 'account',
    label: 'Second factor removed',
    says: 'removed a second factor[, {data.factor}]',
  },
  'login.second_factor_passed': {
    subject: 'account',
    label: 'Second factor passed',
    says: 'passed the second factor[ with {data.factor}]',
  },
  'login.second_factor_failed': {
    subject: 'account',
    label: 'Second factor failed',
    says: 'failed the second factor[ with {data.factor}]',
  },
  'login.recovery_codes_renewed': {
    subject: 'account',
    label: 'Recovery codes renewed',
    says: 'made new recovery codes',
  },
  'login.password_changed': { subject: 'account', label: 'Password changed', says: 'changed the password' },
  'login.session_ended': {
    subject: 'account',
    label: 'Session ended',
    says: 'signed out elsewhere[, {data.sessions} sessions]',
  },
  'account.described': { subject: 'account', label: 'Profile changed', says: 'changed the own profile' },
  'organization.second_factor_required': {
    subject: 'organization',
    label: 'Second factor required',
    says: 'turned the need of a second factor for {subject} {after.state}',
  },
  'integration.connected': {
    subject: 'installation',
    label: 'Integration connected',
    says: 'connected {subject}',
  },
  'integration.disconnected': {
    subject: 'installation',
    label: 'Integration disconnected',
    says: 'disconnected {subject}',
  },
  'integration.suspended': { subject: 'installation', label: 'Integration suspended', says: 'suspended {subject}' },
  'integration.resumed': { subject: 'installation', label: 'Integration resumed', says: 'let {subject} go on' },
  'integration.permissions_changed': {
    subject: 'installation',
    label: 'Integration permissions changed',
    says: 'changed what {subject} may do',
  },
  'integration.requested': {
    subject: 'installation',
    label: 'Integration requested',
    says: 'asked an owner on {data.provider} to connect it',
  },
  'repository.enabled': { subject: 'repository', label: 'Repository enabled', says: 'enabled {subject}' },
  'repository.disabled': { subject: 'repository', label: 'Repository disabled', says: 'disabled {subject}' },
  'repository.import_requested': {
    subject: 'repository',
    label: 'Import started over',
    says: 'started the import of {subject} over',
  },
  'repository.renamed': {
    subject: 'repository',
    label: 'Repository changed on its host',
    says: 'changed {subject} on its host',
  },
  'repository.removed': {
    subject: 'repository',
    label: 'Repository out of reach',
    says: 'no longer shows {subject} to Sightline',
  },
  'repository.restored': {
    subject: 'repository',
    label: 'Repository in reach again',
    says: 'shows {subject} to Sightline again',
  },
  'flag.changed': {
    subject: 'flag',
    label: 'Feature flag changed',
    says: 'turned the feature {subject} {after.state}',
  },
  'audit.exported': {
    subject: 'audit_log',
    label: 'Audit log exported',
    says: 'exported the audit log[ as {data.format}]',
  },
} as const satisfies Record<string, Action>;

export type AuditAction = keyof typeof auditActions;

const isKnown = (action: string): action is AuditAction => Object.hasOwn(auditActions, action);

/** An action as an entry of a list; an unknown one under its own name. */
export const labelOfAction = (action: string): string => (isKnown(action) ? auditActions[action].label : action);

/** The template of an action; unknown ones are told of honestly. */
export const templateOf = (action: string): string =>
  isKnown(action)
    ? auditActions[action].says
    : `did something this version has no words for, ${action}[, to {subject}]`;
