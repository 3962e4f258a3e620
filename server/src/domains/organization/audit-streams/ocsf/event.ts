import { roleNames } from '@sightline/contract/core/permissions.ts';
import type { AuditEntryDetail } from '@sightline/contract/organization/audit.ts';
import {
  type AuditEventType,
  eventClasses,
  OCSF_VERSION,
} from '@sightline/contract/organization/audit-actions/ocsf.ts';
import { auditActionLabel, auditEventType } from '@sightline/contract/organization/audit-actions.ts';
import type { LedgerPosition } from '../../audit/queries.ts';

/** An audit entry at its place in the ledger. */
export interface PlacedEntry {
  orgId: string;
  position: LedgerPosition;
  entry: AuditEntryDetail;
  isTest?: boolean;
}

type OcsfObject = { readonly [key: string]: unknown };

const severities: Record<AuditEventType['severityId'], string> = {
  1: 'Informational',
  2: 'Low',
  3: 'Medium',
  4: 'High',
};

/** An audit entry as an event of OCSF. The same entry always gives the same `metadata.uid`, by which receivers find duplicates. */
export function ocsfEventOf({ orgId, position, entry, isTest = false }: PlacedEntry): OcsfObject {
  const type = auditEventType(entry.action);
  const { uid, name } = eventClasses[type.className];
  // What is not mapped is named as its source names it.
  const activity = type.activityId === 99 ? auditActionLabel(entry.action) : type.activity;
  return {
    activity_id: type.activityId,
    activity_name: activity,
    category_uid: 3,
    category_name: 'Identity & Access Management',
    class_uid: uid,
    class_name: name,
    type_uid: uid * 100 + type.activityId,
    type_name: `${name}: ${activity}`,
    severity_id: type.severityId,
    severity: severities[type.severityId],
    status_id: type.failed ? 2 : 1,
    status: type.failed ? 'Failure' : 'Success',
    time: Date.parse(entry.at),
    message: [entry.actor.name, ...entry.sentence.map(({ text }) => text)].join(' '),
    metadata: {
      version: OCSF_VERSION,
      product: { name: 'Sightline', vendor_name: 'Sightline', feature: { name: 'Audit log' } },
      uid: entry.id,
      event_code: entry.action,
      log_name: 'audit',
      sequence: position.leafIndex,
      tenant_uid: orgId,
      ...(entry.requestId !== null && { correlation_uid: entry.requestId }),
      ...(isTest && { labels: ['test'] }),
    },
    actor: actorOf(entry),
    ...(entry.address !== null && { src_endpoint: { ip: entry.address } }),
    ...subjectOf(type, entry),
    unmapped: {
      ledger_epoch: position.epoch,
      ledger_index: position.leafIndex,
      subject_kind: entry.subject.kind,
      ...(entry.before && { before: entry.before }),
      ...(entry.after && { after: entry.after }),
      ...(Object.keys(entry.more).length > 0 && { details: entry.more }),
      ...(entry.browser !== null && { browser: entry.browser }),
    },
  };
}

const userTypes = {
  account: { type_id: 1, type: 'User' },
  operator: { type_id: 2, type: 'Admin' },
  system: { type_id: 3, type: 'System' },
} as const;

function actorOf({ actor }: AuditEntryDetail): OcsfObject {
  if (actor.kind === 'integration') return { app_name: actor.name, ...(actor.id !== null && { app_uid: actor.id }) };
  return {
    user: {
      name: actor.name,
      ...(actor.id !== null && { uid: actor.id }),
      ...(actor.email !== null && { email_addr: actor.email }),
      ...userTypes[actor.kind],
    },
  };
}

/** What it was done to, as the class names it. */
function subjectOf({ className }: AuditEventType, { subject, after }: AuditEntryDetail): OcsfObject {
  const named = { uid: subject.id, ...(subject.name && { name: subject.name }) };
  if (className === 'entity') return { entity: { ...named, type: subject.kind } };
  if (className === 'authentication') return { user: named, service: { name: 'Sightline' } };
  const role = after?.role;
  return { user: named, ...(typeof role === 'string' && { iam_roles: [{ uid: role, name: nameOfRole(role) }] }) };
}

const nameOfRole = (role: string): string => (roleNames as Record<string, string>)[role] ?? role;
