import type { CanonicalValue } from '../ledger/canonical.ts';
import {
  auditTargetAndData,
  entriesOfKinds,
  type IndexedEntry,
  type RecordedAction,
  recordedActionOf,
} from './parsed-entries.ts';
import type { Period } from './scope.ts';

const [ofControl, ofFinding] = ['audit.waiver.', 'audit.finding.waiver_'] as const;
export const waiverKinds: readonly string[] = [
  ...['approved', 'ended', 'expired', 'refused', 'requested', 'withdrawn'].map((step) => `${ofControl}${step}`),
  ...['approved', 'expired', 'refused', 'requested', 'withdrawn'].map((step) => `${ofFinding}${step}`),
];

export interface WaiverOutcome extends RecordedAction {
  readonly as: string;
}

/** A waiver: request, decision, end, and expiry. */
export interface WaiverRecord {
  readonly about: { readonly [key: string]: CanonicalValue };
  /** Null: in an earlier epoch of the ledger. */
  readonly requested: RecordedAction | null;
  readonly decided: WaiverOutcome | null;
  readonly ended: WaiverOutcome | null;
  /** As recorded: a time or a date. */
  readonly until: string;
}

/**
 * Returns the waivers that were pending or in force at any time in the period, from entries below the ledger size
 * `size`.
 */
export function waiversIn(
  entries: Iterable<IndexedEntry>,
  size: number,
  { from, to }: Period,
): readonly WaiverRecord[] {
  return waiverRecordsIn(entries, size).filter(
    (one) => (one.requested === null || one.requested.at < to) && endedAt(one) > from,
  );
}

function waiverRecordsIn(entries: Iterable<IndexedEntry>, size: number): readonly WaiverRecord[] {
  const records: WaiverRecord[] = [];
  // Index of the current record by its key.
  const open = new Map<string, number>();
  for (const entry of entriesOfKinds(entries, waiverKinds, size)) {
    const { id, data } = auditTargetAndData(entry);
    const isOfFinding = entry.kind.startsWith(ofFinding);
    const step = entry.kind.slice((isOfFinding ? ofFinding : ofControl).length);
    const key = `${isOfFinding ? 'finding' : 'control'} ${id}`;
    const before = step === 'requested' ? undefined : open.get(key);
    const recordIndex = before ?? records.length;
    const about = isOfFinding
      ? { finding: id, repository: data.repository ?? null }
      : { id, control: data.control ?? null, subject: data.subject ?? null };
    const record = records[recordIndex] ?? { about, requested: null, decided: null, ended: null, until: '' };
    records[recordIndex] = {
      ...record,
      ...fieldsOfStep(step, recordedActionOf(entry)),
      until: String(data.until ?? ''),
    };
    // A later entry of the same finding starts another record.
    if (isOfFinding && isOver(step)) open.delete(key);
    else open.set(key, recordIndex);
  }
  return records;
}

const fieldsOfStep = (step: string, done: RecordedAction): Partial<WaiverRecord> =>
  step === 'requested'
    ? { requested: done }
    : step === 'approved' || step === 'refused'
      ? { decided: { ...done, as: step } }
      : { ended: { ...done, as: step } };

const isOver = (step: string): boolean => step !== 'requested' && step !== 'approved';

const endedAt = ({ decided, ended, until }: WaiverRecord): string =>
  ended?.at ?? (decided?.as === 'refused' ? decided.at : until);

/** The entries from which the waivers are derived. */
export const leavesOfWaivers = (waivers: readonly WaiverRecord[]): readonly number[] =>
  waivers.flatMap(({ requested, decided, ended }) =>
    [requested, decided, ended].flatMap((done) => (done ? [done.entry] : [])),
  );
