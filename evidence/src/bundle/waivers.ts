import type { Plain } from '../ledger/canonical.ts';
import { auditOf, type Done, doneBy, ofKinds, type ToldEntry } from './parsed-entries.ts';
import type { Period } from './scope.ts';

const [ofControl, ofFinding] = ['audit.exception.', 'audit.finding.exception_'] as const;
export const waiverKinds: readonly string[] = [
  ...['approved', 'ended', 'expired', 'refused', 'requested', 'withdrawn'].map((step) => `${ofControl}${step}`),
  ...['approved', 'expired', 'refused', 'requested', 'withdrawn'].map((step) => `${ofFinding}${step}`),
];

export interface DoneAs extends Done {
  readonly as: string;
}

/** Leave to break a rule: who asked, who decided, how it ended, and until when it was to hold. */
export interface WaiverRecord {
  readonly about: { readonly [key: string]: Plain };
  /** Null: in an earlier epoch of the ledger. */
  readonly requested: Done | null;
  readonly decided: DoneAs | null;
  readonly ended: DoneAs | null;
  /** As its entries say it: a moment, or a day. */
  readonly until: string;
}

/** The waivers that waited or held at some moment of the period, drawn from what the ledger held at `size`. */
export function waiversIn(entries: Iterable<ToldEntry>, size: number, { from, to }: Period): readonly WaiverRecord[] {
  return waiverRecordsIn(entries, size).filter(
    (one) => (one.requested === null || one.requested.at < to) && overAt(one) > from,
  );
}

function waiverRecordsIn(entries: Iterable<ToldEntry>, size: number): readonly WaiverRecord[] {
  const stories: WaiverRecord[] = [];
  // The place of the story that goes on, by what it is about.
  const open = new Map<string, number>();
  for (const entry of ofKinds(entries, waiverKinds, size)) {
    const { id, data } = auditOf(entry);
    const isOfFinding = entry.kind.startsWith(ofFinding);
    const step = entry.kind.slice((isOfFinding ? ofFinding : ofControl).length);
    const key = `${isOfFinding ? 'finding' : 'control'} ${id}`;
    const before = step === 'requested' ? undefined : open.get(key);
    const place = before ?? stories.length;
    const about = isOfFinding
      ? { finding: id, repository: data.repository ?? null }
      : { id, control: data.control ?? null, subject: data.subject ?? null };
    const story = stories[place] ?? { about, requested: null, decided: null, ended: null, until: '' };
    stories[place] = { ...story, ...wordOf(step, doneBy(entry)), until: String(data.until ?? '') };
    // Whatever comes next of a finding is another story.
    if (isOfFinding && isOver(step)) open.delete(key);
    else open.set(key, place);
  }
  return stories;
}

const wordOf = (step: string, done: Done): Partial<WaiverRecord> =>
  step === 'requested'
    ? { requested: done }
    : step === 'approved' || step === 'refused'
      ? { decided: { ...done, as: step } }
      : { ended: { ...done, as: step } };

const isOver = (step: string): boolean => step !== 'requested' && step !== 'approved';

const overAt = ({ decided, ended, until }: WaiverRecord): string =>
  ended?.at ?? (decided?.as === 'refused' ? decided.at : until);

/** The entries that what is told of waivers rests on. */
export const leavesOfWaivers = (told: readonly WaiverRecord[]): readonly number[] =>
  told.flatMap(({ requested, decided, ended }) =>
    [requested, decided, ended].flatMap((done) => (done ? [done.entry] : [])),
  );
