import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';

/** The kinds of actors: a member, the system, an operator on the command line, or an integration. */
export const auditActorKinds = ['account', 'system', 'operator', 'integration'] as const;

const who = z.object({
  kind: z.enum(auditActorKinds),
  /** The account ID, or the name of the operator or integration; null if unknown. */
  id: z.string().nullable(),
  name: z.string(),
  email: z.string().nullable(),
  picture: z.string().nullable(),
});

const subject = z.object({
  kind: z.string(),
  id: z.string(),
  /** Display name; null for a deleted item. */
  name: z.string().nullable(),
});

export const auditEntry = z.object({
  id: z.string(),
  at: timestamp,
  action: z.string(),
  actor: who,
  subject,
  /** The text after the actor's name. The part that names the target is marked. */
  sentence: z.array(z.object({ text: z.string(), subject: z.literal(true).optional() })),
  /** IP address and browser, if known. */
  address: z.string().nullable(),
  browser: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const values = z.record(z.string(), z.unknown());

const auditEntryDetail = auditEntry.extend({
  /** Only changed values; null before a creation or after a deletion. */
  before: values.nullable(),
  after: values.nullable(),
  /** Other data of the entry, including personal data. */
  more: values,
  /** Request ID, as in the server log. */
  requestId: z.string().nullable(),
});
export type AuditEntryDetail = z.infer<typeof auditEntryDetail>;

const list = commaList(boundedText(200), 50);

const filters = {
  /** Every word must match the actor, action, target or changed values. */
  search: boundedText(200).trim().default(''),
  action: list,
  /** IDs of actors, as in the filters. */
  actor: list,
  subjectKind: list,
  subject: boundedText(200).default(''),
  from: timestamp.optional(),
  to: timestamp.optional(),
};

export const auditFilter = z.strictObject(filters);
export type AuditFilter = z.output<typeof auditFilter>;

/** Maximum number of entries that one search with words or several filters scans. */
export const MAX_SCANNED_AUDIT_ENTRIES = 20_000;

const listQuery = z.strictObject({
  ...filters,
  /** ID of the entry after which the page starts, towards older or newer entries. */
  older: z.uuid().optional(),
  newer: z.uuid().optional(),
  perPage: z.coerce.number().int().min(1).max(100).default(20),
});
export type AuditQuery = z.output<typeof listQuery>;

export const listAudit = endpoint({
  method: 'GET',
  path: '/v2/audit',
  summary: 'Lists audit entries, newest first, from a cursor.',
  scope: 'organization',
  permission: 'read:audit-log',
  query: listQuery,
  topics: [
    'orgRepos',
    'orgMembers',
    'orgSettings',
    'orgIntegrations',
    'orgFindings',
    'orgWebhooks',
    'orgDigests',
    'orgEvidence',
    'orgPolicies',
    'orgWaivers',
    'orgAudit',
  ],
  response: z.object({
    entries: z.array(auditEntry),
    /** Cursors in both directions; null at the end. */
    older: z.string().nullable(),
    newer: z.string().nullable(),
    /** Older entries were not searched yet; null if the page is full or the log ended. */
    searchedTo: timestamp.nullable(),
    asOf: timestamp,
  }),
});
export type AuditPage = z.output<typeof listAudit.response>;

const choice = z.object({
  value: z.string(),
  label: z.string(),
  /** At most `MAX_COUNTED_AUDIT_ENTRIES`, which means this number or more. */
  count: z.number().int(),
});
export const MAX_COUNTED_AUDIT_ENTRIES = 1000;

export const getAuditFilters = endpoint({
  method: 'GET',
  path: '/v2/audit/filters',
  summary: 'Lists the filters of the audit log with counts.',
  scope: 'organization',
  permission: 'read:audit-log',
  topics: [
    'orgRepos',
    'orgMembers',
    'orgSettings',
    'orgIntegrations',
    'orgFindings',
    'orgWebhooks',
    'orgDigests',
    'orgEvidence',
    'orgPolicies',
    'orgWaivers',
    'orgAudit',
  ],
  response: z.object({
    actions: z.array(choice),
    /** At most 200. */
    actors: z.array(choice.extend({ picture: z.string().nullable() })),
    subjectKinds: z.array(choice),
  }),
});
export type AuditFilters = z.output<typeof getAuditFilters.response>;

export const getAuditEntry = endpoint({
  method: 'GET',
  path: '/v2/audit/:auditId',
  summary: 'Returns an audit entry with values before and after.',
  scope: 'organization',
  permission: 'read:audit-log',
  params: z.strictObject({ auditId: z.uuid() }),
  response: auditEntryDetail,
});

export const auditFormats = ['csv', 'json', 'ndjson'] as const;
export type AuditFormat = (typeof auditFormats)[number];

export const exportAudit = endpoint({
  method: 'GET',
  path: '/v2/audit/export',
  summary: 'Exports all matching audit entries as a file. The export is recorded in the audit log.',
  scope: 'organization',
  permission: 'read:audit-log',
  query: z.strictObject({ ...filters, format: z.enum(auditFormats).default('csv') }),
  response: z.string(),
  file: ['text/csv', 'application/json', 'application/x-ndjson'],
  cost: 'export',
});
