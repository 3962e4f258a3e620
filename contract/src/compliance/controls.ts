import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { instant } from '../core/text.ts';

/** Of a row. `excepted`: an exception that somebody approved; `gap`: a fact that is needed is missing. */
export const verdict = z.enum(['pass', 'fail', 'waived', 'missing_evidence']);
export type Verdict = z.infer<typeof verdict>;

/** Of a control in a period. Without anything to evaluate it is `no_population` and never met. */
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
  }),
  z.object({
    ...common,
    kind: z.literal('choices'),
    choices: z.array(z.string()),
    default: z.array(z.string()),
    stricter: z.enum(['more', 'fewer']),
  }),
]);

/** A control in words: what it evaluates, when a row is what, what can be set, and where it leads. */
export const controlDefinition = z.object({
  id: controlId,
  title: z.string(),
  rule: z.string(),
  population: z.string(),
  verdicts: z.object({ pass: z.string(), fail: z.string(), missing_evidence: z.string() }),
  parameters: z.array(controlParameter),
  /** Requirements of standards, which are named in full, by their identifier and each under our own title. */
  crosswalk: z.array(z.object({ framework: z.string(), requirement: z.string(), title: z.string() })),
  /** Whose facts it needs, and what brings those that are missing. */
  sources: z.array(z.object({ id: z.string(), title: z.string(), remedy: z.string() })),
});
export type ControlDefinition = z.infer<typeof controlDefinition>;

/** Values of a control's parameters, by name. */
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
  /** Counted elsewhere; null where nobody could. */
  expected: z.number().nullable(),
  found: z.number(),
});

/** What came of evaluation a population once. */
export const controlResult = z.object({
  control: controlId,
  catalogVersion: z.string(),
  period: z.object({ from: instant, to: instant }),
  /** How large the ledger was whose facts were evaluated. */
  asOfSize: z.number(),
  status: controlStatus,
  counts: verdictCounts,
  completeness: z.array(completeness),
});
export type ControlResult = z.infer<typeof controlResult>;

export const verdictRow = z.object({
  subject: z.string(),
  verdict,
  /** Codes, each with an id after a colon where it is about one thing of several. */
  reasons: z.array(z.string()),
  /** The ledger's entry that is this row, and all that it rests on, by index. */
  leaf: z.number().nullable(),
  leaves: z.array(z.number()),
  /** The version of the setting that evaluated it; 0 for the defaults. */
  setting: z.number(),
});
export type VerdictRow = z.infer<typeof verdictRow>;
