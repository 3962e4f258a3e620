import { z } from 'zod';
import { periodEnds } from '../core/periods.ts';
import { timestamp } from '../core/text.ts';
import { linkedTicket } from '../sources/trackers.ts';

const person = z.object({ id: z.string(), name: z.string() });

/** An evaluation in which an item failed or was retested. */
const evaluationOfItem = z.object({
  runId: z.string(),
  /** Time of the evaluated checkpoint. */
  at: timestamp,
  /** Ledger size of that checkpoint. */
  asOfSize: z.number().int(),
  period: periodEnds,
  /** The ledger entry of the evaluation. */
  entryId: z.string(),
});

export const retestResult = z.enum(['pass', 'fail']);

/** A test after a failure. It stays beside the failure and replaces nothing. */
const remediationRetest = z.object({
  id: z.string(),
  result: retestResult,
  /** Of the checkpoint if a later evaluation was the test. */
  at: timestamp,
  /** Null: a later evaluation of the item. */
  by: person.nullable(),
  /** Null: a person recorded it. */
  evaluation: evaluationOfItem.nullable(),
  notes: z.string(),
  entryId: z.string(),
});
export type RemediationRetest = z.infer<typeof remediationRetest>;

/**
 * `open`: not stated as remediated, or the last retest failed. `remediated`: stated as remediated, and not retested.
 * `retested`: the last retest passed.
 */
export const remediationState = z.enum(['open', 'remediated', 'retested']);
export type RemediationState = z.infer<typeof remediationState>;

/** What is done about an item of a control that failed. */
export const remediation = z.object({
  id: z.string(),
  state: remediationState,
  /** The original result, which never changes. */
  failure: evaluationOfItem.extend({ reasons: z.array(z.string()) }),
  /** `isActive`: whether the owner is an active member. */
  owner: person.extend({ isActive: z.boolean() }).nullable(),
  dueOn: z.iso.date().nullable(),
  ticketUrl: z.string().nullable(),
  /** The ticket that was created here; null without one. */
  ticket: linkedTicket.nullable(),
  notes: z.string(),
  /** When it was stated as remediated; null: it is not. */
  remediatedAt: timestamp.nullable(),
  /** Oldest first. */
  retests: z.array(remediationRetest),
  /** The state in words, as in bundles: `failed, remediated on 2026-07-05, retested on 2026-07-06 with result pass`. */
  text: z.string(),
  /** What the requesting member may do. */
  allowed: z.object({ change: z.boolean(), retest: z.boolean() }),
});
export type Remediation = z.infer<typeof remediation>;
