import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { period, periodEnds } from '../core/periods.ts';
import { instant, text } from '../core/text.ts';
import { controlStatus, verdictCounts } from './controls.ts';

/** What is done for a snapshot, one after the other; `ready` and `failed` are the ends. */
export const snapshotStates = ['queued', 'capturing', 'evaluating', 'building', 'ready', 'failed'] as const;
export type SnapshotState = (typeof snapshotStates)[number];

/** `none`: titles that people gave are in the bundle; `people`: nothing in it opens what is committed about people. */
export const snapshotRedactions = ['none', 'people'] as const;

/** A control as it was evaluated for a snapshot. */
export const snapshotControl = z.object({ id: controlId, status: controlStatus, counts: verdictCounts });
export type SnapshotControl = z.infer<typeof snapshotControl>;

/** Evidence of a period, frozen as of a signed checkpoint of the ledger. */
export const snapshot = z.object({
  id: z.string(),
  name: z.string(),
  period: periodEnds,
  controls: z.array(controlId),
  /** Ids; null: all. */
  repositories: z.array(z.string()).nullable(),
  redaction: z.enum(snapshotRedactions),
  supersedes: z.object({ id: z.string(), name: z.string() }).nullable(),
  createdAt: instant,
  createdBy: z.object({ id: z.string(), name: z.string() }),
  state: z.enum(snapshotStates),
  /** Controls that were evaluated so far. */
  done: z.number().int(),
  /** Why it failed, and what to do. */
  problem: z.string().nullable(),
  /** How many entries the ledger had whose facts were evaluated, and how many when the results were in it too. */
  ledger: z.object({ epoch: z.number().int(), evaluated: z.number().int(), size: z.number().int() }).nullable(),
  takenAt: instant.nullable(),
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
  /** What the bundle holds, beside its manifest and signature. */
  files: z.array(snapshotFile),
  /** The public key of the ledger that signed it. */
  key: z.string().nullable(),
  /** What the repositories are called that were chosen; null: all were. */
  repositoryNames: z.array(z.string()).nullable(),
});
export type SnapshotDetails = z.infer<typeof snapshotDetails>;

/** What a control came to in two snapshots; null: it is not in that one. */
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

export const createSnapshot = endpoint({
  method: 'POST',
  path: '/v2/snapshots',
  summary: 'Starts a snapshot of the evidence of a period at a ledger checkpoint that is signed for it.',
  scope: 'organization',
  permission: 'create:evidence',
  body: z.strictObject({
    name: text(120).trim().min(1),
    period,
    /** Those that can be evaluated where it is left out. */
    controls: z.array(controlId).min(1).max(50).optional(),
    /** Null or left out: all. */
    repositories: z.array(z.uuid()).min(1).max(500).nullable().default(null),
    redaction: z.enum(snapshotRedactions).default('none'),
    /** The id of an earlier one that this stands in for; both stay. */
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

export const diffSnapshots = endpoint({
  method: 'GET',
  path: '/v2/snapshots/:snapshotId/diff',
  summary: 'Compares the control results of a snapshot with an earlier one.',
  ...reading,
  params,
  query: z.strictObject({ with: z.uuid() }),
  response: z.array(snapshotDifference),
});
