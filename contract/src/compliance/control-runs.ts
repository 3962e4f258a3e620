import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { ledgerSize } from '../core/ledger-sizes.ts';
import { period, periodEnds } from '../core/periods.ts';
import { timestamp } from '../core/text.ts';
import { trendDaysQuery } from '../core/trends.ts';
import {
  controlDefinition,
  controlResult,
  controlSetting,
  controlStatus,
  verdictCounts,
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

export const controlRead = { method: 'GET', scope: 'organization', permission: 'read:evidence' } as const;
export const controlParams = z.strictObject({ id: controlId });
/** Without a period: the current quarter, in UTC. Without the size of a checkpoint: the newest result. */
export const runSelector = { period: period.optional(), asOf: ledgerSize.optional() };

export const listControls = endpoint({
  ...controlRead,
  path: '/v2/controls',
  summary: 'Lists the controls with their latest result for a period and its daily trend.',
  query: z.strictObject({ period: period.optional() }),
  topics: ['orgEvidence'],
  response: z.array(controlState),
});
export const exportControls = csvExportOf(listControls);

export const getControlsOverview = endpoint({
  ...controlRead,
  path: '/v2/controls/overview',
  summary:
    'Returns the number of controls by status for a period, and the data sources to connect for missing evidence.',
  query: z.strictObject({ period: period.optional() }),
  topics: ['orgEvidence'],
  response: controlsOverview,
});

export const getReadiness = endpoint({
  ...controlRead,
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
  ...controlRead,
  path: '/v2/controls/:id',
  summary: 'Returns a control with its result for a period, the latest or at a ledger checkpoint.',
  params: controlParams,
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
  ...controlRead,
  path: '/v2/controls/:id/runs',
  summary: 'Lists the evaluations of a control for a period, newest first.',
  params: controlParams,
  query: z.strictObject({
    period: period.optional(),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    perPage: z.coerce.number().int().min(1).max(100).default(10),
  }),
  topics: ['orgEvidence'],
  response: z.array(controlRun),
  paged: true,
});

export const listControlSettings = endpoint({
  ...controlRead,
  path: '/v2/controls/:id/settings',
  summary: 'Lists the parameter versions of a control, newest first. Version 0 contains the defaults.',
  params: controlParams,
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
  ...controlRead,
  path: '/v2/controls/:id/tasks/:taskId',
  summary: 'Returns the progress of an evaluation.',
  params: controlParams.extend({ taskId: z.uuid() }),
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
  params: controlParams,
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
