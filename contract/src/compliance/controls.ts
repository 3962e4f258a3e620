import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { timestamp } from '../core/text.ts';

/**
 * The verdict of a row. `waived`: an approved waiver covers the failure. `missing_evidence`: a required fact is
 * unknown.
 */
export const verdict = z.enum(['pass', 'fail', 'waived', 'missing_evidence']);
export type Verdict = z.infer<typeof verdict>;

/**
 * The status of a control in a period. An empty population is never `passing`: it is `not_applicable`, or
 * `missing_evidence` if settings exclude items that the defaults include.
 */
export const controlStatus = z.enum(['passing', 'failing', 'missing_evidence', 'not_applicable']);
export type ControlStatus = z.infer<typeof controlStatus>;

const common = { name: z.string(), title: z.string() };
const controlParameter = z.discriminatedUnion('kind', [
  z.object({
    ...common,
    kind: z.literal('number'),
    unit: z.string(),
    default: z.number(),
    min: z.number(),
    max: z.number(),
    stricter: z.enum(['higher', 'lower']),
    zeroMeansNoLimit: z.boolean().optional(),
  }),
  z.object({ ...common, kind: z.literal('switch'), default: z.boolean(), stricter: z.enum(['on', 'off']) }),
  z.object({
    ...common,
    kind: z.literal('patterns'),
    default: z.array(z.string()),
    stricter: z.enum(['more', 'fewer']),
    everythingIsLeastStrict: z.boolean().optional(),
  }),
  z.object({
    ...common,
    kind: z.literal('choices'),
    choices: z.array(z.string()),
    default: z.array(z.string()),
    stricter: z.enum(['more', 'fewer']),
  }),
]);

/** The definition of a control: what it evaluates, the rule of each verdict, its parameters and framework mappings. */
export const controlDefinition = z.object({
  id: controlId,
  title: z.string(),
  rule: z.string(),
  population: z.string(),
  verdicts: z.object({ pass: z.string(), fail: z.string(), missing_evidence: z.string() }),
  parameters: z.array(controlParameter),
  /** Framework requirements: the name of the framework, the identifier, and a title as published or in common use. */
  crosswalk: z.array(z.object({ framework: z.string(), requirement: z.string(), title: z.string() })),
  /** The required data sources, each with its remedy. */
  sources: z.array(z.object({ id: z.string(), title: z.string(), remedy: z.string() })),
});
export type ControlDefinition = z.infer<typeof controlDefinition>;

/** Parameter values of a control, by name. */
export const controlSetting = z.record(z.string(), z.union([z.number(), z.boolean(), z.array(z.string())]));
export type ControlSetting = z.infer<typeof controlSetting>;

export const verdictCounts = z.object({
  population: z.number(),
  pass: z.number(),
  fail: z.number(),
  waived: z.number(),
  missing_evidence: z.number(),
});
export type VerdictCounts = z.infer<typeof verdictCounts>;

export const completeness = z.object({
  source: z.string(),
  /** Whether the code host or scanner gives a count. Otherwise missing rows cannot be detected, and `expected` is null. */
  isIndependent: z.boolean(),
  /** Null if no count is available. */
  expected: z.number().nullable(),
  found: z.number(),
});

export type Completeness = z.infer<typeof completeness>;

/** How many items a parameter excluded from a population. An item that several parameters exclude counts for each. */
export const exclusion = z.object({
  parameter: z.string(),
  /** The version of the setting; 0: the defaults. */
  setting: z.number().int(),
  items: z.number().int(),
  /** How many of them the defaults exclude too. */
  byDefault: z.number().int(),
});
export type Exclusion = z.infer<typeof exclusion>;

/** A parameter of a control, or a field of a policy for it, that a change of a policy made less strict. */
export const weakening = z.object({
  /** The ledger entry of the change. */
  entry: z.number().int(),
  at: timestamp,
  policy: z.string(),
  version: z.number().int(),
  /** The name of the parameter, `mode` or `tools`. */
  parameter: z.string(),
  /** Number of the affected repositories; null: all without a policy of their own. */
  repositories: z.number().int().nullable(),
  /** The values in words. */
  before: z.string(),
  after: z.string(),
  /** Opaque ID of the person who requested or made the change. */
  author: z.string().nullable(),
  /** Opaque ID of the other person who approved it; null: not independently approved. */
  approver: z.string().nullable(),
  /** Whether the author also approved the change, because no other member could. */
  selfApproved: z.boolean(),
});

/** The result of one evaluation of a population. */
export const controlResult = z.object({
  control: controlId,
  catalogVersion: z.string(),
  period: z.object({ from: timestamp, to: timestamp }),
  /** The ledger size at which the facts were evaluated. */
  asOfSize: z.number(),
  status: controlStatus,
  counts: verdictCounts,
  completeness: z.array(completeness),
  exclusions: z.array(exclusion),
});
export type ControlResult = z.infer<typeof controlResult>;

export const verdictRow = z.object({
  subject: z.string(),
  verdict,
  /** Codes. A colon and an ID follow if the reason is about one of several objects. */
  reasons: z.array(z.string()),
  /** Index of the ledger entry of this row, and of all entries that it depends on. */
  leaf: z.number().nullable(),
  leaves: z.array(z.number()),
  /** The version of the setting that applied; 0 for the defaults. */
  setting: z.number(),
});
export type VerdictRow = z.infer<typeof verdictRow>;

/** Maximum number of rows in one sample. */
export const MAX_SAMPLE_ROWS = 200;
