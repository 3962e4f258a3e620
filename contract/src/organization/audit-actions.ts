/** The objects of audit entries, as labels of a filter. */
export const auditSubjects = {
  organization: 'Organization',
  member: 'Member',
  invitation: 'Invitation',
  account: 'Sign-in',
  person: 'Person',
  installation: 'Integration',
  repository: 'Repository',
  finding: 'Vulnerability',
  scanner_project: 'Scanner project',
  flag: 'Feature flag',
  destination: 'Destination',
  access_key: 'Access key',
  webhook: 'Webhook',
  view: 'Saved view',
  audit_log: 'Audit log',
  ledger: 'Ledger',
  control: 'Control',
  policy: 'Policy',
  access_review: 'Access review',
  control_waiver: 'Control waiver',
  digest: 'Commit digest',
  snapshot: 'Snapshot',
  evidence_destination: 'Evidence destination',
  portal: 'Auditor portal',
  audit_stream: 'Audit log stream',
} as const;
export type AuditSubject = keyof typeof auditSubjects;

type EntryData = Readonly<Record<string, unknown>>;

interface Action {
  /** Label in a list of actions: 'Role changed'. */
  label: string;
  /**
   * The text after the actor's name. `{subject}` stands for the target, `{before.role}` and `{data.account}` for values
   * of the entry. A part in square brackets is omitted if one of its values is missing.
   */
  says: string;
  /**
   * Whether all owners receive an email, since attackers with a stolen session would start with this action. A function
   * decides by the data of the entry.
   */
  mailsOwners?: true | ((data: EntryData) => boolean);
}

const isOwnerRole = ({ role }: EntryData): boolean => role === 'rol_owner';

/**
 * All audit log actions: noun.verb in the past tense. Commands can record no others, so every entry has a sentence.
 * Names are permanent, since old entries contain them.
 */
export const auditActions = {
  'organization.created': {
    label: 'Organization created',
    says: 'created the organization {subject}',
  },
  'organization.updated': {
    label: 'Organization changed',
    says: 'changed the settings of {subject}',
  },
  'organization.archived': { label: 'Organization archived', says: 'archived {subject}', mailsOwners: true },
  'organization.restored': { label: 'Organization restored', says: 'restored {subject}' },
  'member.left': { label: 'Member left', says: 'left the organization[ as {before.role}]' },
  'invitation.sent': {
    label: 'Invitation sent',
    says: 'invited {subject}[ as {data.role}]',
    mailsOwners: isOwnerRole,
  },
  'invitation.resent': { label: 'Invitation sent again', says: 'invited {subject} again', mailsOwners: isOwnerRole },
  'invitation.revoked': {
    label: 'Invitation revoked',
    says: 'revoked the invitation of {subject}',
  },
  'invitation.declined': { label: 'Invitation declined', says: 'declined the invitation' },
  'member.role_changed': {
    label: 'Role changed',
    says: 'changed the role of {subject}[ from {before.role} to {after.role}]',
    mailsOwners: true,
  },
  'member.deactivated': { label: 'Member deactivated', says: 'deactivated {subject}' },
  'member.reinstated': { label: 'Member reinstated', says: 'reinstated {subject}' },
  'member.removed': { label: 'Member removed', says: 'removed {subject} from the organization' },
  'member.joined': { label: 'Member joined', says: 'joined the organization[ as {after.role}]' },
  'member.added': { label: 'Member added', says: 'made {subject} a member[ as {after.role}]' },
  'member.activated': { label: 'Member arrived', says: 'signed in for the first time' },
  'account.signed_in': { label: 'Signed in', says: 'signed in' },
  'login.succeeded': { label: 'Signed in', says: 'signed in[ with {data.connection}]' },
  'login.failed': { label: 'Sign-in failed', says: 'failed to sign in as {subject}' },
  'login.ended': { label: 'Signed out', says: 'signed out' },
  'login.password_reset': {
    label: 'Password reset',
    says: 'set a new password with an emailed link',
  },
  'login.token_issued': {
    label: 'Access token issued',
    says: 'issued an access token of {subject}[ for {data.minutes} minutes]',
  },
  'login.second_factor_added': {
    label: 'Second factor added',
    says: 'added a second factor[, {data.factor}]',
  },
  'login.second_factor_removed': {
    label: 'Second factor removed',
    says: 'removed a second factor[, {data.factor}]',
  },
  'login.second_factor_passed': {
    label: 'Second factor passed',
    says: 'passed the second factor[ with {data.factor}]',
  },
  'login.second_factor_failed': {
    label: 'Second factor failed',
    says: 'failed the second factor[ with {data.factor}]',
  },
  'login.recovery_codes_renewed': {
    label: 'Recovery codes renewed',
    says: 'created new recovery codes',
  },
  'login.break_glass_used': {
    label: 'Break-glass access used',
    says: 'signed in without the required single sign-on',
    mailsOwners: true,
  },
  'login.password_changed': { label: 'Password changed', says: 'changed the password' },
  'login.session_ended': {
    label: 'Session ended',
    says: 'signed out elsewhere[, {data.sessions} sessions]',
  },
  'identity.linked': { label: 'Login connected', says: 'connected a login to {subject}[, {data.connection}]' },
  'identity.unlinked': { label: 'Login disconnected', says: 'disconnected a login of {subject}[, {data.connection}]' },
  'identity.refused': {
    label: 'Login takeover attempt blocked',
    says: 'tried to access the account of {subject} and was blocked[: {data.reason}]',
  },
  'extension.signed_in': { label: 'Extension signed in', says: 'signed in from an extension[ for {data.program}]' },
  'extension.signed_out': {
    label: 'Extension signed out',
    says: 'signed an extension of {subject} out[, that for {data.program}][: {data.reason}]',
  },
  'account.created': { label: 'Account created', says: 'created an account[ with {data.connection}]' },
  'account.merged': { label: 'Account merged', says: 'merged another of their accounts into {subject}' },
  'account.described': { label: 'Profile changed', says: 'changed their profile' },
  'organization.second_factor_required': {
    label: 'Second factor required',
    says: 'turned the second factor requirement of {subject}[ {after.state}]',
    mailsOwners: true,
  },
  'organization.sso_changed': {
    label: 'Single sign-on changed',
    says: 'changed the sign-in of members of {subject}[ to {after.connection}]',
    mailsOwners: true,
  },
  'organization.domain_added': { label: 'Domain added', says: 'added the domain[ {data.domain}] to {subject}' },
  'organization.domain_verified': {
    label: 'Domain verified',
    says: 'verified the domain[ {data.domain}] of {subject}[ by {data.by}]',
    mailsOwners: true,
  },
  'organization.domain_removed': {
    label: 'Domain removed',
    says: 'removed the domain[ {data.domain}] from {subject}',
    mailsOwners: true,
  },
  'organization.session_policy_changed': {
    label: 'Session policy changed',
    says: 'changed the session policy of {subject}',
    mailsOwners: true,
  },
  'person.erased': { label: 'Personal data deleted', says: 'deleted the personal data of a person', mailsOwners: true },
  'personal_data.exported': { label: 'Own data exported', says: 'exported their own data' },
  'erasure.requested': {
    label: 'Data deletion requested',
    says: 'requested deletion of their data',
    mailsOwners: true,
  },
  'erasure.withdrawn': { label: 'Data deletion request withdrawn', says: 'withdrew the request to delete their data' },
  'erasure.refused': { label: 'Data deletion request denied', says: 'denied the deletion of the data of a person' },
  'person.united': {
    label: 'Persons merged',
    says: 'merged two persons into {subject}',
  },
  'person.merged': {
    label: 'Contributors merged',
    says: 'merged {subject} with another contributor',
  },
  'person.merge_dismissed': {
    label: 'Merge suggestion dismissed',
    says: 'dismissed the suggestion to merge {subject} with another contributor',
  },
  'person.merge_undone': {
    label: 'Contributor merge undone',
    says: 'undid a merge decision about {subject}',
  },
  'integration.connected': {
    label: 'Integration connected',
    says: 'connected {subject}',
  },
  'integration.disconnected': {
    label: 'Integration disconnected',
    says: 'disconnected {subject}',
  },
  'integration.changed': { label: 'Integration changed', says: 'changed the key or scope of {subject}' },
  'integration.status_check_made': {
    label: 'Status check created',
    says: 'created a URL and a secret for status checks of {subject}',
  },
  'integration.status_check_removed': {
    label: 'Status check removed',
    says: 'removed the URL for status checks of {subject}',
  },
  'integration.sync_requested': {
    label: 'Integration synced',
    says: 'synced the newest scans of {subject}',
  },
  'scanner_project.matched': {
    label: 'Scanner project matched',
    says: 'linked the results of {subject}[ to {after.repository}]',
  },
  'integration.suspended': { label: 'Integration suspended', says: 'suspended {subject}' },
  'integration.resumed': { label: 'Integration resumed', says: 'resumed {subject}' },
  'integration.permissions_changed': {
    label: 'Integration permissions changed',
    says: 'changed the permissions of {subject}',
  },
  'integration.requested': {
    label: 'Integration requested',
    says: 'requested the connection from an owner[ on {data.provider}]',
  },
  'repository.enabled': { label: 'Repository enabled', says: 'enabled {subject}' },
  'repository.disabled': { label: 'Repository disabled', says: 'disabled {subject}' },
  'repository.import_requested': {
    label: 'Import restarted',
    says: 'restarted the import of {subject}',
  },
  'repository.renamed': {
    label: 'Repository changed on its host',
    says: 'changed {subject} on its host',
  },
  'repository.removed': {
    label: 'Repository access lost',
    says: 'no longer gives Sightline access to {subject}',
  },
  'repository.restored': {
    label: 'Repository access restored',
    says: 'gives Sightline access to {subject} again',
  },
  'repository.alerts_requested': {
    label: 'Alerts import requested',
    says: 'requested an import of the alerts of {subject}',
  },
  'repository.ref_retired': {
    label: 'Branch deleted',
    says: 'deleted a branch of {subject}[: {data.ref}][, with {data.results} scan results]',
  },
  'access_key.created': {
    label: 'Access key created',
    says: 'created the access key {subject}[ for {data.repository}]',
    mailsOwners: true,
  },
  'access_key.revoked': { label: 'Access key revoked', says: 'revoked the access key {subject}' },
  'webhook.created': { label: 'Webhook created', says: 'added a webhook to {subject}', mailsOwners: true },
  'webhook.updated': { label: 'Webhook changed', says: 'changed the webhook to {subject}', mailsOwners: true },
  'webhook.deleted': { label: 'Webhook deleted', says: 'deleted the webhook to {subject}', mailsOwners: true },
  'webhook.secret_rotated': {
    label: 'Webhook secret rotated',
    says: 'rotated the signing secret of the webhook to {subject}',
    mailsOwners: true,
  },
  'webhook.tested': { label: 'Webhook tested', says: 'sent a test event to the webhook to {subject}' },
  'webhook.redelivered': {
    label: 'Webhook event redelivered',
    says: 'redelivered an event[, {data.type},] to {subject}',
  },
  'webhook.auto_disabled': {
    label: 'Webhook disabled automatically',
    says: 'disabled the webhook to {subject}[: {data.reason}]',
  },
  'destination.allowed': {
    label: 'Destination allowed',
    says: 'allowed connections to {subject}[ for {data.purpose}][ in {data.for}]',
  },
  'destination.revoked': {
    label: 'Destination revoked',
    says: 'revoked connections to {subject}[ for {data.purpose}][ in {data.for}]',
  },
  'flag.changed': {
    label: 'Feature flag changed',
    says: 'changed the feature {subject}[ to {after.state}][ for {data.for}]',
  },
  'finding.dismissed': {
    label: 'Vulnerability dismissed',
    says: 'dismissed {subject}[ in {data.repository}][ as {after.reason}]',
  },
  'finding.reopened': { label: 'Vulnerability reopened', says: 'reopened {subject}[ in {data.repository}]' },
  'finding.waiver_requested': {
    label: 'Waiver requested',
    says: 'requested a waiver for {subject}[ in {data.repository}][ until {data.until}]',
  },
  'finding.waiver_approved': {
    label: 'Waiver approved',
    says: 'approved a waiver for {subject}[ in {data.repository}][ until {data.until}]',
  },
  'finding.waiver_refused': {
    label: 'Waiver denied',
    says: 'denied a waiver for {subject}[ in {data.repository}]',
  },
  'finding.waiver_withdrawn': {
    label: 'Waiver withdrawn',
    says: 'withdrew a waiver for {subject}[ in {data.repository}]',
  },
  'finding.waiver_expired': {
    label: 'Waiver expired',
    says: 'ended an expired waiver for {subject}[ in {data.repository}]',
  },
  'access_review.opened': { label: 'Access review opened', says: 'opened the access review of {subject}' },
  'access_review.extended': {
    label: 'Access review extended',
    says: 'added members to the access review of {subject}',
  },
  'access_review.decided': {
    label: 'Access reviewed',
    says: 'decided on[ {data.count}] members of the access review of {subject}[: {data.decision}]',
  },
  'access_review.signed': { label: 'Access review signed', says: 'signed the access review of {subject}' },
  'policy.created': { label: 'Policy created', says: 'created the policy {subject}' },
  'policy.changed': {
    label: 'Policy changed',
    says: 'changed the policy {subject}[ to version {data.version}]',
  },
  'policy.deleted': { label: 'Policy archived', says: 'archived the policy {subject}' },
  'policy.restored': { label: 'Policy restored', says: 'restored the policy {subject}' },
  'waiver.requested': {
    label: 'Control waiver requested',
    says: 'requested a waiver[ of {data.control}] for {subject}[ until {data.until}]',
  },
  'waiver.approved': {
    label: 'Control waiver approved',
    says: 'approved a waiver[ of {data.control}] for {subject}[ until {data.until}]',
  },
  'waiver.refused': {
    label: 'Control waiver denied',
    says: 'denied a waiver[ of {data.control}] for {subject}',
  },
  'waiver.withdrawn': {
    label: 'Control waiver withdrawn',
    says: 'withdrew a waiver request[ of {data.control}] for {subject}',
  },
  'waiver.ended': {
    label: 'Control waiver revoked',
    says: 'revoked a waiver[ of {data.control}] for {subject}',
  },
  'waiver.expired': {
    label: 'Control waiver expired',
    says: 'ended an expired waiver[ of {data.control}] for {subject}',
  },
  'finding.merged': {
    label: 'Vulnerabilities merged',
    says: 'merged[ {data.merged} into] {subject}[ in {data.repository}]',
  },
  'finding.split': {
    label: 'Vulnerability split',
    says: 'split {subject}[ in {data.repository}] in two',
  },
  'finding.exported': {
    label: 'Vulnerabilities exported',
    says: 'exported vulnerabilities[ as {data.format}][, {data.findings} in all]',
  },
  'repository.missing_classes_changed': {
    label: 'Fixes despite missing classes changed',
    says: 'changed whether findings[ of {data.tool}] in {subject} count as fixed if classes are missing',
  },
  'scan.imported': {
    label: 'Scan imported',
    says: 'imported a scan of {subject}[ by {data.tool}][: {data.new} new][, {data.fixed} fixed][, {data.reopened} reopened]',
  },
  'event.exported': {
    label: 'Events exported',
    says: 'exported events of the timeline[ as {data.format}][, {data.events} in all]',
  },
  'event.expired': {
    label: 'Old events deleted',
    says: 'deleted events past retention[: {data.events} events before {data.eventsBefore}][, {data.clipboardEvents} clipboard events before {data.clipboardBefore}]',
  },
  'notification.defaults_changed': {
    label: 'Notification defaults changed',
    says: 'changed the notification defaults[ of the role {data.role}]',
  },
  'view.shared': { label: 'View shared', says: 'shared the saved view {subject}' },
  'view.unshared': { label: 'View no longer shared', says: 'stopped sharing the saved view {subject}' },
  'view.updated': { label: 'Shared view changed', says: 'changed the shared view {subject}' },
  'view.deleted': { label: 'Shared view deleted', says: 'deleted the shared view {subject}' },
  'tool.exported': {
    label: 'Tool inventory exported',
    says: 'exported the inventory of tools[, {data.tools} in all]',
  },
  'audit.exported': {
    label: 'Audit log exported',
    says: 'exported the audit log[ as {data.format}]',
  },
  'ledger.epoch_closed': {
    label: 'Ledger epoch started',
    says: 'started a new epoch of the ledger[, epoch {after.epoch}][ after {before.size} entries of epoch {before.epoch}]',
  },
  'digest.reviewed': {
    label: 'Commit digest reviewed',
    says: 'reviewed the commit digest {subject}[ as {data.decision}]',
  },
  'control.run_requested': {
    label: 'Control evaluated',
    says: 'evaluated the control {subject}[ for {data.period}][ at ledger size {data.asOf}]',
  },
  'snapshot.requested': {
    label: 'Snapshot requested',
    says: 'requested a snapshot[, {data.name}][ for {data.period}]',
  },
  'portal.opened': {
    label: 'Auditor portal created',
    says: 'created the auditor portal {subject}[ until {data.closesAt}]',
  },
  'portal.entered': { label: 'Auditor portal opened', says: 'opened the auditor portal {subject}' },
  'portal.viewed': {
    label: 'Auditor portal viewed',
    says: 'viewed[ {data.view}][ {data.control}] in the auditor portal {subject}',
  },
  'portal.sampled': {
    label: 'Auditor sample created',
    says: 'sampled[ {data.control}][ with seed {data.seed}] in the auditor portal {subject}',
  },
  'portal.downloaded': {
    label: 'Auditor downloaded a bundle',
    says: 'downloaded a bundle from the auditor portal {subject}',
  },
  'portal.requested': {
    label: 'Evidence requested',
    says: 'requested evidence[ on {data.control}] in the auditor portal {subject}',
  },
  'portal.answered': {
    label: 'Evidence request answered',
    says: 'answered an evidence request[ on {data.control}] in the auditor portal {subject}',
  },
  'portal.revoked': { label: 'Auditor portal revoked', says: 'revoked the auditor portal {subject}' },
  'portal.closed': { label: 'Auditor portal expired', says: 'closed the expired auditor portal {subject}' },
  'evidence_destination.added': {
    label: 'Evidence destination added',
    says: 'added the evidence destination[ {data.kind}][ at {data.host}]',
    mailsOwners: true,
  },
  'evidence_destination.changed': {
    label: 'Evidence destination changed',
    says: 'changed the evidence destination[ {data.kind}][ at {after.host}]',
    mailsOwners: true,
  },
  'evidence_destination.removed': {
    label: 'Evidence destination removed',
    says: 'removed the evidence destination[ {data.kind}][ at {data.host}]',
    mailsOwners: true,
  },
  'evidence_destination.tested': {
    label: 'Evidence destination tested',
    says: 'tested the evidence destination[ {data.kind}][ at {data.host}]',
  },
  'evidence_destination.snapshot_requested': {
    label: 'Evidence delivery requested',
    says: 'requested delivery of evidence[ to {data.kind}][ at {data.host}][: {data.name}]',
  },
  'evidence_destination.snapshot_sent': {
    label: 'Evidence delivered',
    says: 'delivered evidence[ to {data.kind}][ at {data.host}]',
  },
  'evidence_destination.snapshot_failed': {
    label: 'Evidence delivery failed',
    says: 'failed to deliver evidence[ to {data.kind}][ at {data.host}]',
  },
  'ledger.anchor_added': {
    label: 'Ledger anchor added',
    says: 'added a ledger anchor[, {data.kind}][ at {data.host}]',
    mailsOwners: true,
  },
  'ledger.anchor_changed': {
    label: 'Ledger anchor changed',
    says: 'changed a ledger anchor[, {data.kind}][ at {data.host}]',
    mailsOwners: true,
  },
  'ledger.anchor_removed': {
    label: 'Ledger anchor removed',
    says: 'removed a ledger anchor[, {data.kind}][ at {data.host}]',
    mailsOwners: true,
  },
  'ledger.anchor_requested': {
    label: 'Checkpoint published manually',
    says: 'published a ledger checkpoint[ to {data.kind}][ at {data.host}]',
  },
  'ledger.anchor_address_requested': {
    label: 'Confirmation of an anchor address requested',
    says: 'sent a confirmation request to an address that is to receive ledger checkpoints',
  },
  'ledger.anchor_address_confirmed': {
    label: 'Anchor address confirmed',
    says: 'agreed to receive ledger checkpoints',
  },
  'ledger.key_rotated': {
    label: 'Ledger signing key rotated',
    says: 'rotated the signing key of the ledger[, {after.key} replaces {before.key}]',
  },
  'audit_stream.created': {
    label: 'Audit log stream created',
    says: 'created the audit log stream to {subject}[ by {data.kind}]',
    mailsOwners: true,
  },
  'audit_stream.updated': {
    label: 'Audit log stream changed',
    says: 'changed the audit log stream to {subject}',
    mailsOwners: true,
  },
  'audit_stream.deleted': {
    label: 'Audit log stream deleted',
    says: 'deleted the audit log stream to {subject}',
    mailsOwners: true,
  },
  'audit_stream.secret_rotated': {
    label: 'Audit log stream secret rotated',
    says: 'rotated the signing secret of the audit log stream to {subject}',
    mailsOwners: true,
  },
  'audit_stream.tested': {
    label: 'Audit log stream tested',
    says: 'sent a test event to the audit log stream to {subject}',
  },
} as const satisfies Record<string, Action>;

export type AuditAction = keyof typeof auditActions;

/** Whether the owners receive an email about an entry. */
export function shouldEmailOwners(action: AuditAction, data: EntryData = {}): boolean {
  const { mailsOwners: rule }: Action = auditActions[action];
  return typeof rule === 'function' ? rule(data) : rule === true;
}

const isKnown = (action: string): action is AuditAction => Object.hasOwn(auditActions, action);

/** The label of an action; an unknown action is its own label. */
export const auditActionLabel = (action: string): string => (isKnown(action) ? auditActions[action].label : action);

/** The actions whose label or sentence contains a lower-case word. */
export const auditActionsMatching = (word: string): AuditAction[] =>
  Object.entries(auditActions)
    .filter(([, { label, says }]) => `${label} ${says.replace(/\{[^}]*\}/g, '')}`.toLowerCase().includes(word))
    .map(([action]) => action as AuditAction);

/** The template of an action; a generic one for unknown actions. */
export const auditSentenceTemplate = (action: string): string =>
  isKnown(action)
    ? auditActions[action].says
    : `performed an action unknown to this version, ${action}[, to {subject}]`;
