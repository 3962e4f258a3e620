import type { Plain } from '../ledger/canonical.ts';
import { auditOf, type Done, doneBy, ofKinds, type ToldEntry } from './parsed-entries.ts';
import type { Period } from './scope.ts';

const [ofControl, ofFinding] = ['audit.exception.', 'audit.finding.exception_'] as const;
export const exceptionKinds: readonly string[] = [
  ...['approved', 'ended', 'expired', 'refused', 'requested', 'withdrawn'].map((step) => `${ofControl}${step}`),
  ...['approved', 'expired', 'refused', 'requested', 'withdrawn'].map((step) => `${ofFinding}${step}`),
];

export interface DoneAs extends Done {
  readonly as: string;
}

/** Leave to break a rule: who asked, who decided, how it ended, and until when it was to hold. */
export interface ToldException {
  readonly about: { readonly [key: string]: Plain };
  /** Null: in an earlier epoch of the ledger. */
  readonly requested: Done | null;
  readonly decided: DoneAs | null;
  readonly ended: DoneAs | null;
  /** As its entries say it: a moment, or a day. */
  readonly until: string;
}

/** The exceptions that waited or held at some moment of the period, drawn from what the ledger held at `size`. */
export function exceptionsIn(
  entries: Iterable<ToldEntry>,
  size: number,
  { from, to }: Period,
): readonly ToldException[] {
  return storiesIn(entries, size).filter(
    (one) => (one.requested === null || one.requested.at < to) && overAt(one) > from,
  );
}

function storiesIn(entries: Iterable<ToldEntry>, size: number): readonly ToldException[] {
  const stories: ToldException[] = [];
  // The place of the story that goes on, by what it is about.
  const open = new Map<string, number>();
  for (const entry of ofKinds(entries, exceptionKinds, size)) {
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

const wordOf = (step: string, done: Done): Partial<ToldException> =>
  step === 'requested'
    ? { requested: done }
    : step === 'approved' || step === 'refused'
      ? { decided: { ...done, as: step } }
      : { ended: { ...done, as: step } };

const isOver = (step: string): boolean => step !== 'requested' && step !== 'approved';

const overAt = ({ decided, ended, until }: ToldException): string =>
  ended?.at ?? (decided?.as === 'refused' ? decided.at : until);

/** The entries that what is told of exceptions rests on. */
export const leavesOfExceptions = (told: readonly ToldException[]): readonly number[] =>
  told.flatMap(({ requested, decided, ended }) =>
    [requested, decided, ended].flatMap((done) => (done ? [done.entry] : [])),
  );
