import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { period, periodEnds } from '../core/periods.ts';
import { commaList, instant, text } from '../core/text.ts';
import {
  controlDefinition,
  controlResult,
  controlSetting,
  controlStatus,
  verdict,
  verdictCounts,
  verdictRow,
} from './controls.ts';

/** A checkpoint of the ledger as an address names it: its size, with the epoch before it where that is not the current one: `4711`, `1.4711`. */
const asOf = z.string().regex(/^(?:[1-9]\d{0,5}\.)?\d{1,15}$/, {
  error: 'must be the size of a checkpoint of the ledger, such as 4711, or 1.4711 with its epoch',
});

/** One evaluation of a control's population, as of a checkpoint. */
export const controlRun = controlResult.extend({
  id: z.string(),
  asOfEpoch: z.number().int(),
  runAt: instant,
  /** What its sample is drawn by. */
  seed: z.string(),
  /** SHA-256 over its rows, in hex. */
  rowsSha256: z.string(),
  /** Whether its rows are still here. Where not, evaluation again as of the same checkpoint gives the same. */
  hasRows: z.boolean(),
  /** How many rows have each reason, by its code. */
  reasons: z.record(z.string(), z.number().int()),
  /** The entry of the ledger that this run is. */
  entryId: z.string(),
});
export type ControlRun = z.infer<typeof controlRun>;

/** Somebody asked for a evaluation. */
export const controlTask = z.object({
  id: z.string(),
  control: controlId,
  period: periodEnds,
  state: z.enum(['queued', 'running', 'done', 'failed']),
  /** Rows evaluated so far. */
  evaluated: z.number().int(),
  /** Why it failed. */
  failure: z.string().nullable(),
  /** The run that came of it. */
  runId: z.string().nullable(),
  requestedAt: instant,
  endedAt: instant.nullable(),
});
export type ControlTask = z.infer<typeof controlTask>;

/** The last run of a day. */
export const controlTrendPoint = z.object({ day: z.string(), status: controlStatus, counts: verdictCounts });

export const controlState = controlDefinition.extend({
  period: periodEnds,
  /** Whether anything tells Sightline the facts of this control yet; without, it is not evaluated. */
  isEvaluated: z.boolean(),
  /** Null: not evaluated for the period yet. */
  result: controlRun.nullable(),
  trend: z.array(controlTrendPoint),
  /** The evaluation that waits, goes on or failed last, where that is newer than `result`. */
  task: controlTask.nullable(),
});
export type ControlState = z.infer<typeof controlState>;

/** What keeps controls from being decided, one line for each source of facts. */
export const missingDataSource = z.object({
  /** `time`: nothing is missing, it is only too early. */
  source: z.string(),
  title: z.string(),
  /** The one action that closes it, in words, and where in the product it is done; null: nowhere there. */
  remedy: z.string(),
  link: z.string().nullable(),
  /** How many rows are gaps for want of it, in all and by control. */
  rows: z.number().int(),
  controls: z.array(
    z.object({
      id: controlId,
      rows: z.number().int(),
      reasons: z.array(z.object({ code: z.string(), text: z.string(), rows: z.number().int() })),
      /** Where the population itself may lack rows. */
      incomplete: z.boolean(),
    }),
  ),
});
export type MissingDataSource = z.infer<typeof missingDataSource>;

export const controlsOverview = z.object({
  period: periodEnds,
  /** The newest checkpoint that any of it was evaluated as of. */
  asOf: z.object({ epoch: z.number().int(), size: z.number().int(), evaluatedAt: instant }).nullable(),
  /** How many controls have each status; `not_evaluated`: not evaluated for the period yet. */
  counts: z.object({
    passing: z.number().int(),
    failing: z.number().int(),
    missing_evidence: z.number().int(),
    not_applicable: z.number().int(),
    not_evaluated: z.number().int(),
  }),
  /** The same by day. */
  trend: z.array(
    z.object({
      day: z.string(),
      passing: z.number().int(),
      failing: z.number().int(),
      missing_evidence: z.number().int(),
      not_applicable: z.number().int(),
    }),
  ),
  missing: z.array(missingDataSource),
  /** How many evaluations wait or go on. */
  running: z.number().int(),
});
export type ControlsOverview = z.infer<typeof controlsOverview>;

export const controlRow = verdictRow.extend({
  /** Its place by when it happened, from 0. */
  position: z.number().int(),
  repository: z.object({ id: z.string(), provider: z.string(), fullName: z.string() }).nullable(),
  /** The reasons in words, in their order, each with what closes it where it is a gap. */
  explanations: z.array(
    z.object({ code: z.string(), text: z.string(), about: z.string().nullable(), remedy: z.string().nullable() }),
  ),
});
export type ControlRow = z.infer<typeof controlRow>;

const base = { method: 'GET', scope: 'organization', permission: 'read:evidence' } as const;
const params = z.strictObject({ id: controlId });
/** Without a period this quarter's, in UTC; without a checkpoint the newest result. */
const which = { period: period.optional(), asOf: asOf.optional() };

export const listControls = endpoint({
  ...base,
  path: '/v2/controls',
  summary: 'Lists the controls with their latest result for a period and its daily trend.',
  query: z.strictObject({ period: period.optional() }),
  topics: ['orgEvidence'],
  response: z.array(controlState),
});

export const getControlsOverview = endpoint({
  ...base,
  path: '/v2/controls/overview',
  summary:
    'Returns the number of controls by status for a period, and the data sources to connect for missing evidence.',
  query: z.strictObject({ period: period.optional() }),
  topics: ['orgEvidence'],
  response: controlsOverview,
});

export const getControl = endpoint({
  ...base,
  path: '/v2/controls/:id',
  summary: 'Returns a control with its result for a period, the latest or at a ledger checkpoint.',
  params,
  query: z.strictObject(which),
  topics: ['orgEvidence'],
  response: controlState,
  errors: ['not_found'],
});

export const listControlRuns = endpoint({
  ...base,
  path: '/v2/controls/:id/runs',
  summary: 'Lists the evaluations of a control for a period, newest first.',
  params,
  query: z.strictObject({
    period: period.optional(),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    perPage: z.coerce.number().int().min(1).max(100).default(10),
  }),
  topics: ['orgEvidence'],
  response: z.array(controlRun),
  paged: true,
});

export const listControlRows = endpoint({
  ...base,
  path: '/v2/controls/:id/rows',
  summary: 'Lists the evaluated items of a control for a period with verdict and reason.',
  params,
  query: pagedQuery(['position-asc', 'position-desc'], {
    ...which,
    /** Only rows of these verdicts; with one reason, of those that have it. */
    verdict: commaList(verdict),
    reason: text(60).default(''),
    repository: z.uuid().optional(),
  }),
  topics: ['orgEvidence'],
  response: z.array(controlRow),
  paged: true,
  errors: ['not_found'],
});

/** Rows of one sample, at most. */
export const MAX_SAMPLE_ROWS = 200;

export const getControlSample = endpoint({
  ...base,
  path: '/v2/controls/:id/sample',
  summary:
    'Returns a sample of the items of a control for a period, selected by the root hash of the ledger checkpoint or by a custom seed.',
  params,
  query: z.strictObject({
    ...which,
    seed: text(200).optional(),
    size: z.coerce.number().int().min(1).max(MAX_SAMPLE_ROWS).default(25),
  }),
  topics: ['orgEvidence'],
  response: z.object({
    seed: z.string(),
    /** Whether the seed is the checkpoint's. */
    isLedgerSeed: z.boolean(),
    /** How many rows it was drawn from. */
    population: z.number().int(),
    rows: z.array(controlRow),
  }),
  errors: ['not_found'],
});

export const listControlSettings = endpoint({
  ...base,
  path: '/v2/controls/:id/settings',
  summary: 'Lists the parameter versions of a control, newest first. Version 0 contains the defaults.',
  params,
  topics: ['orgPolicies'],
  response: z.array(
    z.object({
      version: z.number().int(),
      setting: controlSetting,
      /** Null: all repositories. */
      repositories: z.array(z.string()).nullable(),
      /** Null: ever since. */
      from: instant.nullable(),
      until: instant.nullable(),
      policy: z.object({ id: z.string(), version: z.number().int() }).nullable(),
    }),
  ),
});

export const getControlTask = endpoint({
  ...base,
  path: '/v2/controls/:id/tasks/:taskId',
  summary: 'Returns the progress of an evaluation.',
  params: params.extend({ taskId: z.uuid() }),
  topics: ['orgEvidence'],
  response: controlTask,
  errors: ['not_found'],
});

export const runControl = endpoint({
  method: 'POST',
  scope: 'organization',
  permission: 'create:evidence',
  path: '/v2/controls/:id/run',
  summary: 'Evaluates a control for a period now, or again at an earlier ledger checkpoint.',
  params,
  body: z.strictObject(which),
  changes: ['orgEvidence'],
  response: controlTask,
  status: 202,
  errors: ['not_found', 'conflict'],
});

export const runControls = endpoint({
  method: 'POST',
  scope: 'organization',
  permission: 'create:evidence',
  path: '/v2/controls/run',
  summary: 'Evaluates all controls for a period now.',
  body: z.strictObject({ period: period.optional() }),
  changes: ['orgEvidence'],
  response: z.array(controlTask),
  status: 202,
});
