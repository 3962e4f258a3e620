import { byCodeUnits } from '../controls/order.ts';
import { type CanonicalValue, isList } from '../ledger/canonical.ts';
import {
  auditTargetAndData,
  type EntryValues,
  entriesOfKinds,
  type IndexedEntry,
  type RecordedAction,
  recordedActionOf,
  valuesOf,
} from './parsed-entries.ts';
import type { BundleScope, Period } from './scope.ts';

export const [changedKind, retestedKind] = ['audit.remediation.changed', 'audit.remediation.retested'] as const;
export const remediationKinds: readonly string[] = [changedKind, retestedKind];

/** The kind of the entry of an evaluation, to which failures and retests refer. */
export const evaluationKind = 'control.evaluated';

/** An evaluation of a control: the ID of its ledger entry, the checkpoint, its time, and the evaluated period. */
export interface EvaluationRef {
  readonly id: string;
  readonly epoch: number;
  readonly size: number;
  readonly at: string;
  readonly period: Period;
}

/** The original result of a row: it never changes, whatever follows. */
export interface RemediationFailure {
  readonly evaluation: EvaluationRef;
  /** `fail`; a verifier rejects any other. */
  readonly verdict: string;
  readonly reasons: readonly string[];
}

export interface RemediationChange extends RecordedAction {
  /** The opaque ID of the person; null: no owner. */
  readonly owner: string | null;
  /** The last day for the remediation. */
  readonly dueOn: string | null;
  readonly ticketUrl: string | null;
  /** Whether the failure is stated as remediated. */
  readonly isRemediated: boolean;
}

export interface RemediationRetest extends RecordedAction {
  /** `pass` or `fail`; a verifier rejects any other. */
  readonly result: string;
  /** Null: recorded by a person. */
  readonly evaluation: (EvaluationRef & { readonly entry: number | null }) | null;
}

/** A failing row with everything that was done about it. The failure and each retest stay beside each other. */
export interface RemediationRecord {
  readonly id: string;
  readonly control: string;
  readonly subject: string;
  readonly repository: string | null;
  /** With the index of the entry of its evaluation; null: in an earlier epoch of the ledger. */
  readonly failure: RemediationFailure & { readonly entry: number | null };
  /** Oldest first; empty: in an earlier epoch of the ledger. */
  readonly changes: readonly RemediationChange[];
  /** Oldest first. */
  readonly retests: readonly RemediationRetest[];
  /** The state in words, as `remediationText` returns it. */
  readonly result: string;
}

/** The entries of one remediation, in ledger order. */
export interface RemediationStory {
  readonly record: RemediationRecord;
  readonly entries: readonly IndexedEntry[];
}

export const isRetest = ({ kind }: Pick<IndexedEntry, 'kind'>): boolean => kind === retestedKind;

/**
 * Returns the remediations of failures that were open at any time in the period, from entries below the ledger size
 * `size`: as recorded, without judging them.
 */
export function remediationStoriesIn(
  entries: Iterable<IndexedEntry>,
  size: number,
  { period, repositories }: Pick<BundleScope, 'period' | 'repositories'>,
): readonly RemediationStory[] {
  const all = [...entries];
  const evaluations = new Map(entriesOfKinds(all, [evaluationKind], size).map(({ id, index }) => [id, index]));
  const byId = Map.groupBy(entriesOfKinds(all, remediationKinds, size), (entry) => auditTargetAndData(entry).id);
  return [...byId]
    .map(([id, own]) => ({ record: recordOf(id, own, evaluations), entries: own }))
    .filter(
      ({ record }) =>
        isOpenWithin(record, period) &&
        (repositories === null || record.repository === null || repositories.includes(record.repository)),
    );
}

export const remediationsIn = (
  entries: Iterable<IndexedEntry>,
  size: number,
  scope: Pick<BundleScope, 'period' | 'repositories'>,
): readonly RemediationRecord[] => remediationStoriesIn(entries, size, scope).map(({ record }) => record);

function recordOf(
  id: string,
  entries: readonly IndexedEntry[],
  evaluations: ReadonlyMap<string, number>,
): RemediationRecord {
  const [first] = entries;
  const { control, subject, repository, failure } = first ? auditTargetAndData(first).data : {};
  const recorded = failureOf(valuesOf(failure));
  const changes = entries.filter((entry) => !isRetest(entry)).map(changeOf);
  const retests = entries.filter(isRetest).map((entry) => retestOf(entry, evaluations));
  return {
    id,
    control: String(control),
    subject: String(subject),
    repository: typeof repository === 'string' ? repository : null,
    failure: { ...recorded, entry: evaluations.get(recorded.evaluation.id) ?? null },
    changes,
    retests,
    result: remediationText({ changes, retests }),
  };
}

const failureOf = ({ evaluation, verdict, reasons }: EntryValues): RemediationFailure => ({
  evaluation: evaluationOf(valuesOf(evaluation)),
  verdict: String(verdict),
  reasons: textsOf(reasons),
});

const textsOf = (value: CanonicalValue | undefined): readonly string[] =>
  value !== undefined && isList(value) ? value.map(String) : [];

const evaluationOf = ({ id, epoch, size, at, period }: EntryValues): EvaluationRef => ({
  id: String(id),
  epoch: Number(epoch),
  size: Number(size),
  at: String(at),
  period: { from: String(valuesOf(period).from), to: String(valuesOf(period).to) },
});

function changeOf(entry: IndexedEntry): RemediationChange {
  const { owner, dueOn, ticketUrl, isRemediated } = auditTargetAndData(entry).data;
  return {
    ...recordedActionOf(entry),
    owner: textOrNull(owner),
    dueOn: textOrNull(dueOn),
    ticketUrl: textOrNull(ticketUrl),
    isRemediated: isRemediated === true,
  };
}

function retestOf(entry: IndexedEntry, evaluations: ReadonlyMap<string, number>): RemediationRetest {
  const { result, evaluation } = auditTargetAndData(entry).data;
  const recorded = evaluation === null || evaluation === undefined ? null : evaluationOf(valuesOf(evaluation));
  return {
    ...recordedActionOf(entry),
    // An evaluation has the time of its checkpoint, which is earlier than its entry.
    ...(recorded && { at: recorded.at }),
    result: String(result),
    evaluation: recorded && { ...recorded, entry: evaluations.get(recorded.id) ?? null },
  };
}

const textOrNull = (value: CanonicalValue | undefined): string | null => (typeof value === 'string' ? value : null);

/** A failure of an earlier period is open until its last retest passed. */
function isOpenWithin({ failure, retests }: RemediationRecord, { from, to }: Period): boolean {
  const last = retests.at(-1);
  const failedIn = failure.evaluation.period;
  return failedIn.from < to && (failedIn.to > from || last?.result !== 'pass' || last.at > from);
}

/** What decides about the state: when it was stated as remediated, and the retests. */
export interface RemediationProgress {
  readonly changes: readonly Pick<RemediationChange, 'at' | 'entry' | 'isRemediated'>[];
  readonly retests: readonly Pick<RemediationRetest, 'at' | 'entry' | 'result'>[];
}

/** The time since which the failure is stated as remediated, also again after a failed retest; null: it is not. */
export function remediatedAt({ changes, retests }: RemediationProgress): string | null {
  const stated = changes.slice(changes.findLastIndex(({ isRemediated }) => !isRemediated) + 1);
  const failed = retests.findLast(({ result }) => result !== 'pass')?.entry ?? -1;
  return (stated.find(({ entry }) => entry > failed) ?? stated[0])?.at ?? null;
}

/**
 * The state in words, such as `failed, remediated on 2026-07-05, retested on 2026-07-06 with result pass`. It begins
 * with the original result, which no retest replaces.
 */
export const remediationText = (progress: RemediationProgress): string =>
  remediationSentence(remediatedAt(progress), progress.retests.at(-1));

/** The same, of the time since which it is stated as remediated and the last retest. */
export function remediationSentence(
  done: string | null,
  last: Pick<RemediationRetest, 'at' | 'result'> | undefined,
): string {
  return [
    'failed',
    done === null ? 'not stated as remediated' : `remediated on ${done.slice(0, 10)}`,
    last ? `retested on ${last.at.slice(0, 10)} with result ${last.result}` : 'not retested',
  ].join(', ');
}

/** The texts of the rows of a bundle that failed in its period, by `remediationKey`. */
export type RemediationTexts = ReadonlyMap<string, string>;

export const remediationKey = (control: string, subject: string): string => `${control} ${subject}`;

/** Returns the text of each row that failed in an evaluation of the period, also if it passes in the bundle. */
export function remediationTextsOf(records: readonly RemediationRecord[], { from, to }: Period): RemediationTexts {
  const texts = new Map<string, string>();
  for (const { control, subject, failure, result } of records.toSorted((one, other) =>
    byCodeUnits(one.failure.evaluation.period.from, other.failure.evaluation.period.from),
  )) {
    const failedIn = failure.evaluation.period;
    if (failedIn.from >= to || failedIn.to <= from) continue;
    const key = remediationKey(control, subject);
    const before = texts.get(key);
    texts.set(key, before === undefined ? result : `${before}; ${result}`);
  }
  return texts;
}

/** The entries from which the remediations are derived, with the evaluations to which they refer. */
export const leavesOfRemediations = (records: readonly RemediationRecord[]): readonly number[] =>
  records.flatMap(({ failure, changes, retests }) =>
    [
      failure.entry,
      ...changes.map(({ entry }) => entry),
      ...retests.flatMap(({ entry, evaluation }) => [entry, evaluation?.entry ?? null]),
    ].filter((one) => one !== null),
  );

/** The IDs of the entries of evaluations to which remediations refer, in any form. */
export const evaluationIdsIn = (entries: readonly IndexedEntry[]): readonly string[] => [
  ...new Set(
    entriesOfKinds(entries, remediationKinds, Number.POSITIVE_INFINITY).flatMap((entry) => {
      const { failure, evaluation } = auditTargetAndData(entry).data;
      return [valuesOf(valuesOf(failure).evaluation).id, valuesOf(evaluation).id].filter(
        (id): id is string => typeof id === 'string',
      );
    }),
  ),
];
