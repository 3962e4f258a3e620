import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { commaList, instant, text } from '../core/text.ts';

/** Who may have acted: a member, somebody nobody knows, the operator at the machine, or an integration. */
export const auditActorKinds = ['account', 'system', 'operator', 'integration'] as const;

const who = z.object({
  kind: z.enum(auditActorKinds),
  /** The account, the name of the operator or of the integration; null where nobody knows. */
  id: z.string().nullable(),
  name: z.string(),
  email: z.string().nullable(),
  picture: z.string().nullable(),
});

const subject = z.object({
  kind: z.string(),
  id: z.string(),
  /** As people call it; null once it is gone. */
  name: z.string().nullable(),
});

export const auditEntry = z.object({
  id: z.string(),
  at: instant,
  action: z.string(),
  actor: who,
  subject,
  /** What follows the name of the actor; the piece that names the subject is marked. */
  says: z.array(z.object({ text: z.string(), subject: z.literal(true).optional() })),
  /** Network address and browser, where known. */
  address: z.string().nullable(),
  browser: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const values = z.record(z.string(), z.unknown());

const auditEntryDetail = auditEntry.extend({
  /** Only what the change touched; null where there was nothing before, or is nothing after. */
  before: values.nullable(),
  after: values.nullable(),
  /** What else the entry holds, personal data among it. */
  more: values,
  /** The request it came with, as in the server's log. */
  requestId: z.string().nullable(),
});
export type AuditEntryDetail = z.infer<typeof auditEntryDetail>;

const list = commaList(text(200), 50);

const filters = {
  /** Every word must occur in who, what, where or what changed. */
  search: text(200).trim().default(''),
  action: list,
  /** Ids of actors, as the filters name them. */
  actor: list,
  subjectKind: list,
  subject: text(200).default(''),
  from: instant.optional(),
  to: instant.optional(),
};

export const auditFilter = z.strictObject(filters);
export type AuditFilter = z.output<typeof auditFilter>;

/** How many entries one question looks at, at most, where words or several filters have to be compared. */
export const auditScan = 20_000;

const listQuery = z.strictObject({
  ...filters,
  /** The id of an entry: the page begins after it, among older or among newer ones. */
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
    'orgExceptions',
    'orgAudit',
  ],
  response: z.object({
    entries: z.array(auditEntry),
    /** Where to go on in each direction; null at the end. */
    older: z.string().nullable(),
    newer: z.string().nullable(),
    /** Entries older than this were not looked at yet; null where the page is full or the log is at its end. */
    searchedTo: instant.nullable(),
    asOf: instant,
  }),
});
export type AuditPage = z.output<typeof listAudit.response>;

const choice = z.object({
  value: z.string(),
  label: z.string(),
  /** At most `auditCount`, which then means as many or more. */
  count: z.number().int(),
});
export const auditCount = 1000;

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
    'orgExceptions',
    'orgAudit',
  ],
  response: z.object({
    actions: z.array(choice),
    /** At most 200 of them. */
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
