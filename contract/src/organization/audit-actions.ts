import { complianceActions } from './audit-actions/compliance.ts';
import type { AuditActionDefinition, AuditEntryData } from './audit-actions/definition.ts';
import { deliveryActions } from './audit-actions/deliveries.ts';
import { evidenceActions } from './audit-actions/evidence.ts';
import { ledgerActions } from './audit-actions/ledger.ts';
import { memberActions } from './audit-actions/members.ts';
import { type AuditEventType, unknownAction } from './audit-actions/ocsf.ts';
import { organizationActions } from './audit-actions/organization.ts';
import { personActions } from './audit-actions/persons.ts';
import { signInActions } from './audit-actions/sign-in.ts';
import { sourceActions } from './audit-actions/sources.ts';
import { timelineActions } from './audit-actions/timeline.ts';
import { vulnerabilityActions } from './audit-actions/vulnerabilities.ts';

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
  chat_channel: 'Chat channel',
  view: 'Saved view',
  audit_log: 'Audit log',
  ledger: 'Ledger',
  control: 'Control',
  policy: 'Policy',
  policy_change: 'Policy weakening',
  access_review: 'Access review',
  framework: 'Framework',
  control_waiver: 'Control waiver',
  remediation: 'Remediation',
  digest: 'Commit digest',
  snapshot: 'Snapshot',
  evidence_destination: 'Evidence destination',
  portal: 'Auditor portal',
  audit_stream: 'Audit log stream',
  job: 'Background job',
  failure: 'Failed import or delivery',
} as const;
export type AuditSubject = keyof typeof auditSubjects;

/**
 * All audit log actions: noun.verb in the past tense. Commands can record no others, so every entry has a sentence.
 * Names are permanent, since old entries contain them.
 */
export const auditActions = {
  ...complianceActions,
  ...deliveryActions,
  ...evidenceActions,
  ...ledgerActions,
  ...memberActions,
  ...organizationActions,
  ...personActions,
  ...signInActions,
  ...sourceActions,
  ...timelineActions,
  ...vulnerabilityActions,
} as const;

export type AuditAction = keyof typeof auditActions;

/** Whether the owners receive an email about an entry. */
export function shouldEmailOwners(action: AuditAction, data: AuditEntryData = {}): boolean {
  const { mailsOwners: rule }: AuditActionDefinition = auditActions[action];
  return typeof rule === 'function' ? rule(data) : rule === true;
}

const isKnown = (action: string): action is AuditAction => Object.hasOwn(auditActions, action);

/** The label of an action; an unknown action is its own label. */
export const auditActionLabel = (action: string): string => (isKnown(action) ? auditActions[action].label : action);

/** The actions whose label or sentence contains a lower-case word. */
export const auditActionsMatching = (word: string): AuditAction[] =>
  Object.entries(auditActions)
    .filter(([, { label, sentence }]) => `${label} ${sentence.replace(/\{[^}]*\}/g, '')}`.toLowerCase().includes(word))
    .map(([action]) => action as AuditAction);

/** The template of an action; a generic one for unknown actions. */
export const auditSentenceTemplate = (action: string): string =>
  isKnown(action)
    ? auditActions[action].sentence
    : `performed an action unknown to this version, ${action}[, to {subject}]`;

/** The class of an action in OCSF; that of an unspecific change for unknown actions. */
export const auditEventType = (action: string): AuditEventType =>
  isKnown(action) ? auditActions[action].ocsf : unknownAction;
