import { hash } from 'node:crypto';
import type { NewEvent, Telling } from './new-event.ts';
import type { EventPart } from './part.ts';
import { partsOf, termsOfParts } from './parts.ts';

/** The same in the form that is kept. Many events tell the same: then it is the same object. */
export interface StoredText {
  kind: NewEvent['kind'];
  source: string;
  /** JSON. */
  summary: string;
  detail: string;
  /** SHA-256 over both: a proof commits to it, and the content itself stands in the event's own row. */
  digest: string;
  parts: readonly EventPart[];
  /** What it is listed under, its pull request aside. */
  terms: readonly number[];
}

export interface ShownEvent extends Omit<NewEvent, keyof Telling> {
  shown: StoredText;
}

export function shownAs(telling: Telling): StoredText {
  const { kind, source } = telling;
  const summary = JSON.stringify(telling.summary);
  const detail = JSON.stringify(telling.detail);
  const parts = partsOf(telling);
  const digest = hash('sha256', `[${summary},${detail}]`, 'base64url');
  return { kind, source, summary, detail, digest, parts, terms: termsOfParts(parts) };
}

export const withShown = ({ id, asOf, actor, repositoryId, pullRequest, ...telling }: NewEvent): ShownEvent => ({
  id,
  asOf,
  actor,
  repositoryId,
  pullRequest,
  shown: shownAs(telling),
});

/** The parts of events, those of events that show the same only once. */
export const partsShown = (events: readonly ShownEvent[]): EventPart[] =>
  Array.from(new Set(events.map(({ shown }) => shown)), ({ parts }) => parts).flat();

const often = new Map<string, StoredText>();
const mostKept = 5000;

/** For what is told again and again, such as a look at the same site; `key` says everything the telling is made of. */
export function oftenShown(key: string, tell: () => Telling): StoredText {
  const known = often.get(key);
  if (known) return known;
  const shown = shownAs(tell());
  if (often.size >= mostKept) often.clear();
  often.set(key, shown);
  return shown;
}
