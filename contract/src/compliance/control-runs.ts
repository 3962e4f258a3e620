import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { endpoint } from '../core/endpoint.ts';
import { ledgerSize } from '../core/ledger-sizes.ts';
import { pagedQuery } from '../core/paging.ts';
import { period, periodEnds } from '../core/periods.ts';
import { severity } from '../core/severities.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';
import { trendDaysQuery } from '../core/trends.ts';
import {
  controlDefinition,
  controlResult,
  controlSetting,
  controlStatus,
  remediation,
  verdict,
  verdictCounts,
  verdictRow,
  weakening,
} from './controls.ts';

/** One evaluation of the population of a control at a checkpoint. */
export const controlRun = controlResult.extend({
  id: z.string(),
  asOfEpoch: z.number().int(),
  runAt: timestamp,
  /** The seed of its sample. */
  seed: z.string(),
  /** SHA-256 over its rows, in hex. */
  rowsSha256: z.string(),
  /** Whether the rows are still stored. Otherwise a new evaluation at the same checkpoint yields the same rows. */
  hasRows: z.boolean(),
  /** Number of rows per reason code. */
  reasons: z.record(z.string(), z.number().int()),
  /** The ledger entry of this run. */
  entryId: z.string(),
});
export type ControlRun = z.infer<typeof controlRun>;

/** A requested evaluation. */
export const controlTask = z.object({
  id: z.string(),
  control: controlId,
  period: periodEnds,
  state: z.enum(['queued', 'running', 'done', 'failed']),
  /** Number of rows evaluated so far. */
  evaluated: z.number().int(),
  /** Why it failed. */
  failure: z.string().nullable(),
  /** The resulting run. */
  runId: z.string().nullable(),
  requestedAt: timestamp,
  endedAt: timestamp.nullable(),
});
export type ControlTask = z.infer<typeof controlTask>;

/** The last run of a day. */
export const controlTrendPoint = z.object({ day: z.string(), status: controlStatus, counts: verdictCounts });

export const controlState = controlDefinition.extend({
  period: periodEnds,
  /** Whether a data source for this control is connected. Otherwise it is not evaluated. */
  isEvaluated: z.boolean(),
  /** Null: not evaluated for the period yet. */
  result: controlRun.nullable(),
  trend: z.array(controlTrendPoint),
  /** The evaluation that is queued, running or failed last, if newer than `result`. */
  task: controlTask.nullable(),
});
export type ControlState = z.infer<typeof controlState>;

/** Missing evidence, one entry for each data source. */
export const missingDataSource = z.object({
  /** `time`: nothing is missing, but the time has not come yet. */
  source: z.string(),
  title: z.string(),
  /** The remedy in words, and its page in the product; null: no page. */
  remedy: z.string(),
  link: z.string().nullable(),
  /** Number of rows without this evidence, in total and per control. */
  rows: z.number().int(),
  controls: z.array(
    z.object({
      id: controlId,
      rows: z.number().int(),
      reasons: z.array(z.object({ code: z.string(), text: z.string(), rows: z.number().int() })),
      /** Whether rows may be missing from the population itself. */
      incomplete: z.boolean(),
    }),
  ),
});
export type MissingDataSource = z.infer<typeof missingDataSource>;

/** The repositories of the code hosts that were disabled at any time in a period: what happened then is not evaluated. */
export const unrecordedRepositories = z.object({
  total: z.number().int(),
  /** At most 200, by name. */
  repositories: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** When it was recorded in the period. `from` null: before its start. `to` null: until its end. */
      recorded: z.array(z.object({ from: timestamp.nullable(), to: timestamp.nullable() })),
    }),
  ),
});
export type UnrecordedRepositories = z.infer<typeof unrecordedRepositories>;

const namedPerson = z.object({ id: z.string(), name: z.string().nullable() });

/** A weakening with the current names of its author and approver; a name is null if the data of the person is deleted. */
const settingWeakening = weakening.extend({ author: namedPerson.nullable(), approver: namedPerson.nullable() });
export type SettingWeakening = z.infer<typeof settingWeakening>;

export const controlsOverview = z.object({
  period: periodEnds,
  /** The newest checkpoint at which any of the controls was evaluated. */
  asOf: z.object({ epoch: z.number().int(), size: z.number().int(), evaluatedAt: timestamp }).nullable(),
  /** Number of controls per status; `not_evaluated`: not evaluated for the period yet. */
  counts: z.object({
    passing: z.number().int(),
    failing: z.number().int(),
    missing_evidence: z.number().int(),
    not_applicable: z.number().int(),
    not_evaluated: z.number().int(),
  }),
  /** The same counts per day. */
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
  /** At that checkpoint; null: not evaluated yet. */
  unrecorded: unrecordedRepositories.nullable(),
  /** Number of queued and running evaluations. */
  running: z.number().int(),
});
export type ControlsOverview = z.infer<typeof controlsOverview>;

/** The current title of an evaluated item, for display. Evidence refers to its subject. */
const evaluatedItem = z.object({
  title: z.string(),
  /** Of a vulnerability. */
  severity: severity.nullable(),
  /** End of its remediation time limit; null if it is not open or has no limit. */
  dueAt: timestamp.nullable(),
});
export type EvaluatedItem = z.infer<typeof evaluatedItem>;

export const controlRow = verdictRow.extend({
  /** Null for items without a title, such as commits, and for deleted ones. */
  item: evaluatedItem.nullable(),
  /** Position in order of occurrence, from 0. */
  position: z.number().int(),
  repository: z.object({ id: z.string(), provider: z.string(), fullName: z.string() }).nullable(),
  /** What is done about a failure of the item in the period; null: nothing was recorded. */
  remediation: remediation.nullable(),
  /** The reasons in words, in their order; missing evidence includes its remedy. */
  explanations: z.array(
    z.object({ code: z.string(), text: z.string(), about: z.string().nullable(), remedy: z.string().nullable() }),
  ),
});
export type ControlRow = z.infer<typeof controlRow>;

const base = { method: 'GET', scope: 'organization', permission: 'read:evidence' } as const;
const params = z.strictObject({ id: controlId });
/** Without a period: the current quarter, in UTC. Without the size of a checkpoint: the newest result. */
const runSelector = { period: period.optional(), asOf: ledgerSize.optional() };

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

export const getReadiness = endpoint({
  ...base,
  path: '/v2/controls/readiness',
  summary: 'Returns the applicable and passing controls of each framework on the days of stored evaluations.',
  query: z.strictObject({ days: trendDaysQuery }),
  topics: ['orgEvidence'],
  response: z.array(
    z.object({
      /** The framework as in the mappings of a control. */
      framework: z.string(),
      /**
       * The days (UTC) on which any control was evaluated, oldest first. A control has its latest result for the quarter
       * of the day. Controls that are not applicable or not evaluated for that quarter do not count.
       */
      points: z.array(z.object({ day: z.iso.date(), passing: z.number().int(), applicable: z.number().int() })),
    }),
  ),
});
export type FrameworkReadiness = z.output<typeof getReadiness.response>[number];

export const getControl = endpoint({
  ...base,
  path: '/v2/controls/:id',
  summary: 'Returns a control with its result for a period, the latest or at a ledger checkpoint.',
  params,
  query: z.strictObject(runSelector),
  topics: ['orgEvidence'],
  response: controlState.extend({
    /** At the checkpoint of the result; null: not evaluated yet. */
    unrecorded: unrecordedRepositories.nullable(),
    /** The weakenings in the period, as part of the result. */
    weakenings: z.array(settingWeakening),
  }),
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
    ...runSelector,
    /** Only rows with these verdicts, or with the given reason. */
    verdict: commaList(verdict),
    reason: boundedText(60).default(''),
    repository: z.uuid().optional(),
  }),
  topics: ['orgEvidence'],
  response: z.array(controlRow),
  paged: true,
  errors: ['not_found'],
});

/** Maximum number of rows in one sample. */
export const MAX_SAMPLE_ROWS = 200;

export const getControlSample = endpoint({
  ...base,
  path: '/v2/controls/:id/sample',
  summary:
    'Returns a sample of the items of a control for a period, selected by the root hash of the ledger checkpoint or by a custom seed.',
  params,
  query: z.strictObject({
    ...runSelector,
    seed: boundedText(200).optional(),
    size: z.coerce.number().int().min(1).max(MAX_SAMPLE_ROWS).default(25),
  }),
  topics: ['orgEvidence'],
  response: z.object({
    seed: z.string(),
    /** Whether the seed is the root hash of the checkpoint. */
    isLedgerSeed: z.boolean(),
    /** Number of rows from which the sample was drawn. */
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
      /** Null: no start. */
      from: timestamp.nullable(),
      until: timestamp.nullable(),
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
  body: z.strictObject(runSelector),
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
