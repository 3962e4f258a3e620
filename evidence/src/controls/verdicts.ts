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

/** Number of rows, in total and per verdict. */
export type VerdictTally = Readonly<Record<Verdict | 'population', number>>;

/** The assessment of one row, from which the verdict is derived. */
interface RowAssessment {
  /** Reasons for a failure that no missing fact can change. */
  readonly failures: readonly Reason[];
  /** Required facts that are unknown. */
  readonly missing: readonly Reason[];
  /** Reasons for a pass, if nothing contradicts it. */
  readonly passes: readonly Reason[];
  /** The approved waivers that cover all of the violation; empty if a moment is uncovered. */
  readonly waivers: readonly Reason[];
}

/** Derives the verdict: certain failures precede missing evidence, and only complete facts pass. */
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

/** Returns the status of a control. An empty population and missing evidence never pass. */
export function statusOf(counts: VerdictTally): Status {
  if (counts.fail > 0) return 'failing';
  if (counts.missing_evidence > 0) return 'missing_evidence';
  return counts.population === 0 ? 'not_applicable' : 'passing';
}

/** Removes duplicate reasons and sorts them, so that equal rows have equal reasons. */
const sortedOnce = (reasons: readonly Reason[]): readonly Reason[] => [...new Set(reasons)].sort();
