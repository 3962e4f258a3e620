import type { Reason } from './reasons.ts';

export const verdicts = ['pass', 'exception', 'excepted', 'gap'] as const;
export type Verdict = (typeof verdicts)[number];

export const statuses = ['met', 'not_met', 'gap', 'no_population'] as const;
export type Status = (typeof statuses)[number];

/** The label of each status in user interfaces, reports and messages. */
export const statusLabels: Readonly<Record<Status, string>> = {
  met: 'Passing',
  not_met: 'Failing',
  gap: 'Missing evidence',
  no_population: 'Not applicable',
};
export const verdictLabels: Readonly<Record<Verdict, string>> = {
  pass: 'Pass',
  exception: 'Fail',
  excepted: 'Waived',
  gap: 'Missing evidence',
};

export interface Judgement {
  readonly verdict: Verdict;
  readonly reasons: readonly Reason[];
}

/** How many rows there are, and how many of each verdict. */
export type VerdictTally = Readonly<Record<Verdict | 'population', number>>;

/** What a control found out about one row, before a verdict is made of it. */
interface Points {
  /** Why it breaks the rule, whatever is not known would say. */
  readonly exceptions: readonly Reason[];
  /** What is not known and needed. */
  readonly gaps: readonly Reason[];
  /** Why it keeps the rule, if nothing stands against that. */
  readonly passes: readonly Reason[];
  /** The approved exceptions that hold for all of the time the rule was broken; empty where they leave a moment open. */
  readonly excuses: readonly Reason[];
}

/** One verdict: what is certainly wrong comes before what is not known, and only what is known whole passes. */
export function settle({ exceptions, gaps, passes, excuses }: Points): Judgement {
  if (exceptions.length > 0) {
    if (excuses.length > 0) return { verdict: 'excepted', reasons: tidy([...excuses, ...exceptions]) };
    return { verdict: 'exception', reasons: tidy(exceptions) };
  }
  if (gaps.length > 0) return { verdict: 'gap', reasons: tidy(gaps) };
  return { verdict: 'pass', reasons: tidy(passes) };
}

/** The counts in one line, such as `12 items: 10 pass, 1 fail, 0 waived, 1 missing evidence`. */
export const countsText = ({ population, ...counts }: VerdictTally): string =>
  `${population} items: ${verdicts.map((verdict) => `${counts[verdict]} ${verdictLabels[verdict].toLowerCase()}`).join(', ')}`;

export function countsOf(rows: readonly { readonly verdict: Verdict }[]): VerdictTally {
  const counts = { population: rows.length, pass: 0, exception: 0, excepted: 0, gap: 0 };
  for (const { verdict } of rows) counts[verdict] += 1;
  return counts;
}

/** Whether a control is met; one without a population never is, and neither is one of which anything is not known. */
export function statusOf(counts: VerdictTally): Status {
  if (counts.exception > 0) return 'not_met';
  if (counts.gap > 0) return 'gap';
  return counts.population === 0 ? 'no_population' : 'met';
}

/** Each reason once, in one order, so that equal rows are told in equal words. */
const tidy = (reasons: readonly Reason[]): readonly Reason[] => [...new Set(reasons)].sort();
