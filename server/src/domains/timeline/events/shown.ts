import { hash } from 'node:crypto';
import type { NewEvent, Telling } from './new-event.ts';
import type { EventPart } from './part.ts';
import { partsOf, termsOfParts } from './parts.ts';

/** The content of an event as stored. Events with the same content share one object. */
export interface StoredText {
  kind: NewEvent['kind'];
  source: string;
  /** JSON. */
  summary: string;
  detail: string;
  /** SHA-256 over both. A proof commits to it; the row of the event contains the content. */
  digest: string;
  parts: readonly EventPart[];
  /** The terms that it is indexed by, except for its pull request. */
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

/** The parts of events; events with the same content count once. */
export const partsShown = (events: readonly ShownEvent[]): EventPart[] =>
  Array.from(new Set(events.map(({ shown }) => shown)), ({ parts }) => parts).flat();

const cache = new Map<string, StoredText>();
const maxCached = 5000;

/** Caches frequently repeated content, such as views of one site. `key` must identify all input of `create`. */
export function oftenShown(key: string, create: () => Telling): StoredText {
  const known = cache.get(key);
  if (known) return known;
  const shown = shownAs(create());
  if (cache.size >= maxCached) cache.clear();
  cache.set(key, shown);
  return shown;
}
