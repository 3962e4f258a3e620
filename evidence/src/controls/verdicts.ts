import type { Reason } from './reasons.ts';

export const verdicts = ['pass', 'fail', 'waived', 'missing_evidence'] as const;
export type Verdict = (typeof verdicts)[number];

export const statuses = ['passing', 'failing', 'missing_evidence', 'not_applicable'] as const;
export type Status = (typeof statuses)[number];

/** The label of each status in user interfaces, reports and messages. */
export const statusLabels: Readonly<Record<Status, string>> = {
  passing: 'Passing',
  failing: 'Failing',
  missing_evidence: 'Missing evidence',
  not_applicable: 'Not applicable',
};
export const verdictLabels: Readonly<Record<Verdict, string>> = {
  pass: 'Pass',
  fail: 'Fail',
  waived: 'Waived',
  missing_evidence: 'Missing evidence',
};

export interface Evaluation {
  readonly verdict: Verdict;
  readonly reasons: readonly Reason[];
}

/** How many rows there are, and how many of each verdict. */
export type VerdictTally = Readonly<Record<Verdict | 'population', number>>;

/** What a control found out about one row, before a verdict is made of it. */
interface RowAssessment {
  /** Why it breaks the rule, whatever is not known would say. */
  readonly failures: readonly Reason[];
  /** What is not known and needed. */
  readonly missing: readonly Reason[];
  /** Why it keeps the rule, if nothing stands against that. */
  readonly passes: readonly Reason[];
  /** The approved exceptions that hold for all of the time the rule was broken; empty where they leave a moment open. */
  readonly waivers: readonly Reason[];
}

/** One verdict: what is certainly wrong comes before what is not known, and only what is known whole passes. */
export function decideVerdict({ failures, missing, passes, waivers }: RowAssessment): Evaluation {
  if (failures.length > 0) {
    if (waivers.length > 0) return { verdict: 'waived', reasons: sortedOnce([...waivers, ...failures]) };
    return { verdict: 'fail', reasons: sortedOnce(failures) };
  }
  if (missing.length > 0) return { verdict: 'missing_evidence', reasons: sortedOnce(missing) };
  return { verdict: 'pass', reasons: sortedOnce(passes) };
}

/** The counts in one line, such as `12 items: 10 pass, 1 fail, 0 waived, 1 missing evidence`. */
export const countsText = ({ population, ...counts }: VerdictTally): string =>
  `${population} items: ${verdicts.map((verdict) => `${counts[verdict]} ${verdictLabels[verdict].toLowerCase()}`).join(', ')}`;

export function countsOf(rows: readonly { readonly verdict: Verdict }[]): VerdictTally {
  const counts = { population: rows.length, pass: 0, fail: 0, waived: 0, missing_evidence: 0 };
  for (const { verdict } of rows) counts[verdict] += 1;
  return counts;
}

/** Whether a control is met; one without a population never is, and neither is one of which anything is not known. */
export function statusOf(counts: VerdictTally): Status {
  if (counts.fail > 0) return 'failing';
  if (counts.missing_evidence > 0) return 'missing_evidence';
  return counts.population === 0 ? 'not_applicable' : 'passing';
}

/** Each reason once, in one order, so that equal rows are told in equal words. */
const sortedOnce = (reasons: readonly Reason[]): readonly Reason[] => [...new Set(reasons)].sort();
