import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { period, periodEnds } from '../core/periods.ts';
import { boundedText, timestamp } from '../core/text.ts';
import { controlStatus, verdictCounts } from './controls.ts';

/** The states of a snapshot in order; `ready` and `failed` are final. */
export const snapshotStates = ['queued', 'capturing', 'evaluating', 'building', 'ready', 'failed'] as const;
export type SnapshotState = (typeof snapshotStates)[number];

/**
 * What a bundle withholds: `names` the names of persons, `people` all personal data, `all` also the names of
 * repositories.
 */
export const snapshotRedactions = ['none', 'names', 'people', 'all'] as const;
export type SnapshotRedaction = (typeof snapshotRedactions)[number];

/** A control as evaluated for a snapshot. */
export const snapshotControl = z.object({ id: controlId, status: controlStatus, counts: verdictCounts });
export type SnapshotControl = z.infer<typeof snapshotControl>;

/** The evidence of a period at a signed checkpoint of the ledger. */
export const snapshot = z.object({
  id: z.string(),
  name: z.string(),
  period: periodEnds,
  controls: z.array(controlId),
  /** Repository IDs; null: all. */
  repositories: z.array(z.string()).nullable(),
  redaction: z.enum(snapshotRedactions),
  supersedes: z.object({ id: z.string(), name: z.string() }).nullable(),
  createdAt: timestamp,
  createdBy: z.object({ id: z.string(), name: z.string() }),
  state: z.enum(snapshotStates),
  /** Number of controls evaluated so far. */
  done: z.number().int(),
  /** Why it failed, and how to fix it. */
  problem: z.string().nullable(),
  /** The ledger size at which the facts were evaluated, and the size that includes the results. */
  ledger: z.object({ epoch: z.number().int(), evaluated: z.number().int(), size: z.number().int() }).nullable(),
  takenAt: timestamp.nullable(),
  results: z.array(snapshotControl),
  bundle: z.object({ bytes: z.number().int(), sha256: z.string(), name: z.string() }).nullable(),
});
export type Snapshot = z.infer<typeof snapshot>;

export const snapshotFile = z.object({
  path: z.string(),
  size: z.number().int(),
  sha256: z.string(),
  mediaType: z.string(),
});
export const snapshotDetails = snapshot.extend({
  /** The files of the bundle, except its manifest and signature. */
  files: z.array(snapshotFile),
  /** The public key of the ledger that signed the bundle. */
  key: z.string().nullable(),
  /** Names of the selected repositories; null: all. */
  repositoryNames: z.array(z.string()).nullable(),
});
export type SnapshotDetails = z.infer<typeof snapshotDetails>;

/** The results of a control in two snapshots; null: the snapshot does not include the control. */
export const snapshotDifference = z.object({
  id: controlId,
  before: snapshotControl.nullable(),
  after: snapshotControl.nullable(),
});
export type SnapshotDifference = z.infer<typeof snapshotDifference>;

const reading = { scope: 'organization', permission: 'read:evidence' } as const;
const params = z.strictObject({ snapshotId: z.uuid() });

export const listSnapshots = endpoint({
  method: 'GET',
  path: '/v2/snapshots',
  summary: 'Lists the evidence snapshots, newest first.',
  ...reading,
  query: pagedQuery(['date-desc', 'date-asc'], {}),
  topics: ['orgEvidence'],
  response: z.array(snapshot),
  paged: true,
});
export const exportSnapshots = csvExportOf(listSnapshots);

export const createSnapshot = endpoint({
  method: 'POST',
  path: '/v2/snapshots',
  summary: 'Starts a snapshot of the evidence of a period at a ledger checkpoint that is signed for it.',
  scope: 'organization',
  permission: 'create:evidence',
  body: z.strictObject({
    name: boundedText(120).trim().min(1),
    period,
    /** Default: all controls that can be evaluated. */
    controls: z.array(controlId).min(1).max(50).optional(),
    /** Null or omitted: all. */
    repositories: z.array(z.uuid()).min(1).max(500).nullable().default(null),
    redaction: z.enum(snapshotRedactions).default('none'),
    /** ID of an earlier snapshot that this one supersedes. Both remain available. */
    supersedes: z.uuid().nullable().default(null),
  }),
  changes: ['orgEvidence'],
  response: snapshot,
  status: 202,
  errors: ['not_found'],
});

export const getSnapshot = endpoint({
  method: 'GET',
  path: '/v2/snapshots/:snapshotId',
  summary: 'Returns a snapshot with the files of its bundle.',
  ...reading,
  params,
  topics: ['orgEvidence'],
  response: snapshotDetails,
});

export const getSnapshotBundle = endpoint({
  method: 'GET',
  path: '/v2/snapshots/:snapshotId/bundle',
  summary: 'Returns the bundle of a snapshot, complete or as byte ranges. 409 until it is ready.',
  ...reading,
  params,
  response: z.string(),
  file: ['application/zip'],
});

export const createDisclosureKey = endpoint({
  method: 'POST',
  path: '/v2/snapshots/:snapshotId/disclosure-key',
  summary: 'Returns the file with which verifiers open what redacted bundles of a snapshot withhold.',
  scope: 'organization',
  permission: 'update:org',
  stepUp: true,
  changes: ['orgAudit'],
  cost: 'export',
  params,
  response: z.string(),
  file: ['application/json'],
  errors: ['not_found', 'conflict'],
});

export const diffSnapshots = endpoint({
  method: 'GET',
  path: '/v2/snapshots/:snapshotId/diff',
  summary: 'Compares the control results of a snapshot with an earlier one.',
  ...reading,
  params,
  query: z.strictObject({ with: z.uuid() }),
  response: z.array(snapshotDifference),
});
