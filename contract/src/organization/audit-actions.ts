/** Whose change an entry tells of, in words for a filter. */
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
  control_exception: 'Exception of a control',
  digest: 'Commit digest',
  snapshot: 'Snapshot',
  exporter: 'Exporter',
  room: 'Auditor room',
  audit_stream: 'Audit log stream',
} as const;
export type AuditSubject = keyof typeof auditSubjects;

type EntryData = Readonly<Record<string, unknown>>;

interface Action {
  /** In a list of actions: 'Role changed'. */
  label: string;
  /**
   * What follows the name of whoever did it. `{subject}` stands for what it was done to, `{before.role}` and
   * `{data.account}` for what the entry holds; a part in square brackets is left out where a value in it is missing.
   */
  says: string;
  /** All owners get an e-mail: a stolen session would do this first. A function decides by the data of the entry. */
  mailsOwners?: true | ((data: EntryData) => boolean);
}

const isOwnerRole = ({ role }: EntryData): boolean => role === 'rol_owner';

/**
 * Every action of the audit log: noun.verb in the past. A command can record no other one, so that none is ever
 * without a sentence. Names stay for ever: old entries hold them.
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
    says: 'chose a new password by a link in a mail',
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
    says: 'made new recovery codes',
  },
  'login.break_glass_used': {
    label: 'Break-glass access used',
    says: 'came in without the single sign-on that the organization asks for',
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
    label: 'Attempt to take over a login refused',
    says: 'tried to reach the account of {subject} and was refused[: {data.reason}]',
  },
  'extension.signed_in': { label: 'Extension signed in', says: 'signed in from an extension[ for {data.program}]' },
  'extension.signed_out': {
    label: 'Extension signed out',
    says: 'signed an extension of {subject} out[, that for {data.program}][: {data.reason}]',
  },
  'account.created': { label: 'Account created', says: 'created an account[ with {data.connection}]' },
  'account.merged': { label: 'Account merged', says: 'merged another account of theirs into {subject}' },
  'account.described': { label: 'Profile changed', says: 'changed the own profile' },
  'organization.second_factor_required': {
    label: 'Second factor required',
    says: 'turned the need of a second factor for {subject}[ {after.state}]',
    mailsOwners: true,
  },
  'organization.sso_changed': {
    label: 'Single sign-on changed',
    says: 'changed how members of {subject} sign in[ to {after.connection}]',
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
    says: 'changed what {subject} asks of the sessions of its members',
    mailsOwners: true,
  },
  'person.erased': { label: 'Person erased', says: 'erased a person', mailsOwners: true },
  'collected.exported': { label: 'Own data exported', says: 'exported what is recorded about themselves' },
  'erasure.requested': { label: 'Erasure asked for', says: 'asked to be erased', mailsOwners: true },
  'erasure.withdrawn': { label: 'Erasure withdrawn', says: 'no longer asks to be erased' },
  'erasure.refused': { label: 'Erasure refused', says: 'refused to erase a person' },
  'person.united': {
    label: 'Persons united',
    says: 'takes two persons for one: {subject} is one person from now on',
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
  'integration.changed': { label: 'Integration changed', says: 'gave {subject} another key or place' },
  'integration.status_check_made': {
    label: 'Status check made',
    says: 'made an address and a secret for status checks of {subject}',
  },
  'integration.status_check_removed': {
    label: 'Status check removed',
    says: 'took the address for status checks of {subject} away',
  },
  'integration.sync_requested': {
    label: 'Integration read again',
    says: 'asked {subject} for its newest scans',
  },
  'scanner_project.matched': {
    label: 'Scanner project matched',
    says: 'said where the results of {subject} belong[, to {after.repository}]',
  },
  'integration.suspended': { label: 'Integration suspended', says: 'suspended {subject}' },
  'integration.resumed': { label: 'Integration resumed', says: 'let {subject} go on' },
  'integration.permissions_changed': {
    label: 'Integration permissions changed',
    says: 'changed what {subject} may do',
  },
  'integration.requested': {
    label: 'Integration requested',
    says: 'asked an owner[ on {data.provider}] to connect it',
  },
  'repository.enabled': { label: 'Repository enabled', says: 'enabled {subject}' },
  'repository.disabled': { label: 'Repository disabled', says: 'disabled {subject}' },
  'repository.import_requested': {
    label: 'Import started over',
    says: 'started the import of {subject} over',
  },
  'repository.renamed': {
    label: 'Repository changed on its host',
    says: 'changed {subject} on its host',
  },
  'repository.removed': {
    label: 'Repository out of reach',
    says: 'no longer shows {subject} to Sightline',
  },
  'repository.restored': {
    label: 'Repository in reach again',
    says: 'shows {subject} to Sightline again',
  },
  'repository.alerts_requested': {
    label: 'Alerts read again',
    says: 'asked for the alerts of {subject} to be read again',
  },
  'repository.ref_retired': {
    label: 'Branch gone',
    says: 'saw a branch of {subject} go away[: {data.ref}][, with {data.results} results of scanners]',
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
    label: 'Webhook secret changed',
    says: 'changed the signing secret of the webhook to {subject}',
    mailsOwners: true,
  },
  'webhook.tested': { label: 'Webhook tested', says: 'sent a test to the webhook to {subject}' },
  'webhook.redelivered': {
    label: 'Webhook sent again',
    says: 'sent an event[, {data.type},] to {subject} again',
  },
  'webhook.given_up': {
    label: 'Webhook turned off by itself',
    says: 'turned the webhook to {subject} off[: {data.reason}]',
  },
  'destination.allowed': {
    label: 'Destination allowed',
    says: 'let the server connect to {subject}[ for {data.purpose}][ in {data.for}]',
  },
  'destination.revoked': {
    label: 'Destination revoked',
    says: 'no longer lets the server connect to {subject}[ for {data.purpose}][ in {data.for}]',
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
  'finding.exception_requested': {
    label: 'Exception requested',
    says: 'asked for an exception for {subject}[ in {data.repository}][ until {data.until}]',
  },
  'finding.exception_approved': {
    label: 'Exception approved',
    says: 'approved an exception for {subject}[ in {data.repository}][ until {data.until}]',
  },
  'finding.exception_refused': {
    label: 'Exception refused',
    says: 'refused an exception for {subject}[ in {data.repository}]',
  },
  'finding.exception_withdrawn': {
    label: 'Exception withdrawn',
    says: 'took back an exception for {subject}[ in {data.repository}]',
  },
  'finding.exception_expired': {
    label: 'Exception expired',
    says: 'ended an exception for {subject}[ in {data.repository}] whose time was over',
  },
  'access_review.opened': { label: 'Access review opened', says: 'opened the access review of {subject}' },
  'access_review.extended': {
    label: 'Access review extended',
    says: 'added members to the access review of {subject}',
  },
  'access_review.decided': {
    label: 'Access reviewed',
    says: 'decided about[ {data.count}] lines of the access review of {subject}[: {data.decision}]',
  },
  'access_review.signed': { label: 'Access review signed', says: 'signed the access review of {subject}' },
  'policy.created': { label: 'Policy created', says: 'made the policy {subject}' },
  'policy.changed': {
    label: 'Policy changed',
    says: 'changed the policy {subject}[, version {data.version} from now on]',
  },
  'policy.deleted': { label: 'Policy deleted', says: 'ended the policy {subject}' },
  'policy.restored': { label: 'Policy restored', says: 'let the policy {subject} hold again' },
  'exception.requested': {
    label: 'Exception of a control requested',
    says: 'asked for an exception[ from {data.control}] for {subject}[ until {data.until}]',
  },
  'exception.approved': {
    label: 'Exception of a control approved',
    says: 'approved an exception[ from {data.control}] for {subject}[ until {data.until}]',
  },
  'exception.refused': {
    label: 'Exception of a control refused',
    says: 'refused an exception[ from {data.control}] for {subject}',
  },
  'exception.withdrawn': {
    label: 'Exception of a control withdrawn',
    says: 'took back an exception[ from {data.control}] for {subject}',
  },
  'exception.ended': {
    label: 'Exception of a control ended early',
    says: 'ended an exception[ from {data.control}] for {subject} before its time',
  },
  'exception.expired': {
    label: 'Exception of a control expired',
    says: 'ended an exception[ from {data.control}] for {subject} whose time was over',
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
    label: 'Missing classes of a scanner allowed or not',
    says: 'changed whether findings[ of {data.tool}] in {subject} count as fixed although classes are missing',
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
    says: 'deleted what was no longer to be kept[: {data.events} events from before {data.eventsBefore}][, {data.clipboardEvents} copies and pastes from before {data.clipboardBefore}]',
  },
  'notification.defaults_changed': {
    label: 'Notification defaults changed',
    says: 'changed what[ a {data.role}] is told of by notifications',
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
    label: 'Ledger begun anew',
    says: 'began the ledger anew[ as epoch {after.epoch}][, after {before.size} entries of epoch {before.epoch}]',
  },
  'digest.reviewed': {
    label: 'Commit digest reviewed',
    says: 'reviewed the commit digest {subject}[, and says that it is {data.decision}]',
  },
  'control.run_requested': {
    label: 'Control judged',
    says: 'had the control {subject} judged[ for {data.period}][ as of {data.asOf} entries of the ledger]',
  },
  'snapshot.requested': {
    label: 'Snapshot asked for',
    says: 'had evidence frozen[ as {data.name}][ for {data.period}]',
  },
  'room.opened': {
    label: 'Auditor room opened',
    says: 'opened the auditor room {subject}[ until {data.closesAt}]',
  },
  'room.entered': { label: 'Auditor room entered', says: 'entered the auditor room {subject}' },
  'room.viewed': {
    label: 'Viewed in an auditor room',
    says: 'looked[ at {data.view}][ {data.control}] in the auditor room {subject}',
  },
  'room.sampled': {
    label: 'Sample drawn in an auditor room',
    says: 'drew a sample[ of {data.control}][ by the seed {data.seed}] in the auditor room {subject}',
  },
  'room.downloaded': {
    label: 'Bundle taken from an auditor room',
    says: 'took a bundle from the auditor room {subject}',
  },
  'room.requested': {
    label: 'Evidence asked for',
    says: 'asked for evidence[ on {data.control}] in the auditor room {subject}',
  },
  'room.answered': {
    label: 'Auditor answered',
    says: 'answered what was asked[ on {data.control}] in the auditor room {subject}',
  },
  'room.revoked': { label: 'Auditor room revoked', says: 'revoked the auditor room {subject}' },
  'room.closed': { label: 'Auditor room closed', says: 'closed the auditor room {subject}, whose time was over' },
  'exporter.added': {
    label: 'Exporter added',
    says: 'can have evidence sent[ to {data.kind}][ at {data.host}] from now on',
    mailsOwners: true,
  },
  'exporter.changed': {
    label: 'Exporter changed',
    says: 'changed how evidence is sent[ to {data.kind}][ at {after.host}]',
    mailsOwners: true,
  },
  'exporter.removed': {
    label: 'Exporter removed',
    says: 'can have no more evidence sent[ to {data.kind}][ at {data.host}]',
    mailsOwners: true,
  },
  'exporter.tested': {
    label: 'Exporter tried',
    says: 'tried whether evidence could be sent[ to {data.kind}][ at {data.host}]',
  },
  'exporter.snapshot_requested': {
    label: 'Evidence to be sent',
    says: 'had evidence sent[ to {data.kind}][ at {data.host}][: {data.name}]',
  },
  'exporter.snapshot_sent': {
    label: 'Evidence sent',
    says: 'sent evidence[ to {data.kind}][ at {data.host}]',
  },
  'exporter.snapshot_failed': {
    label: 'Evidence not sent',
    says: 'could not send evidence[ to {data.kind}][ at {data.host}]',
  },
  'ledger.anchor_added': {
    label: 'Anchor of the ledger added',
    says: 'has checkpoints of the ledger left with somebody else from now on[, by {data.kind}][ at {data.host}]',
    mailsOwners: true,
  },
  'ledger.anchor_changed': {
    label: 'Anchor of the ledger changed',
    says: 'changed how checkpoints of the ledger are left with somebody else[, by {data.kind}][ at {data.host}]',
    mailsOwners: true,
  },
  'ledger.anchor_removed': {
    label: 'Anchor of the ledger removed',
    says: 'has no more checkpoints of the ledger left[ by {data.kind}][ at {data.host}]',
    mailsOwners: true,
  },
  'ledger.anchor_asked': {
    label: 'Checkpoint left by hand',
    says: 'had a checkpoint of the ledger left with somebody else[, by {data.kind}][ at {data.host}]',
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
    label: 'Key of the ledger replaced',
    says: 'gave the ledger a new key to sign with[, {after.key} after {before.key}]',
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
    says: 'sent a test to the audit log stream to {subject}',
  },
} as const satisfies Record<string, Action>;

export type AuditAction = keyof typeof auditActions;

/** Whether the owners get an e-mail of an entry. */
export function mailsOwners(action: AuditAction, data: EntryData = {}): boolean {
  const { mailsOwners: rule }: Action = auditActions[action];
  return typeof rule === 'function' ? rule(data) : rule === true;
}

const isKnown = (action: string): action is AuditAction => Object.hasOwn(auditActions, action);

/** An action as an entry of a list; an unknown one under its own name. */
export const labelOfAction = (action: string): string => (isKnown(action) ? auditActions[action].label : action);

/** The actions that a word is said of, in their label or their sentence. `word` is lower case. */
export const actionsSaying = (word: string): AuditAction[] =>
  Object.entries(auditActions)
    .filter(([, { label, says }]) => `${label} ${says.replace(/\{[^}]*\}/g, '')}`.toLowerCase().includes(word))
    .map(([action]) => action as AuditAction);

/** The template of an action; unknown ones are told of honestly. */
export const templateOf = (action: string): string =>
  isKnown(action)
    ? auditActions[action].says
    : `did something this version has no words for, ${action}[, to {subject}]`;
