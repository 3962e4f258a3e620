import { hash } from 'node:crypto';
import { shortEventTexts } from '#core/event-text.ts';
import type { EventContent, NewEvent } from './new-event.ts';
import type { EventPart } from './part.ts';
import { searchPartsOf, termsOfParts } from './parts.ts';

/** The content of an event as stored. Events with the same content share one object. */
export interface StoredText {
  kind: NewEvent['kind'];
  source: string;
  /** In their stored form, as in the row of the event. */
  summary: string;
  detail: string;
  /** SHA-256 over their JSON, which a proof commits to. */
  digest: string;
  parts: readonly EventPart[];
  /** The terms that it is indexed by, except for its pull request. */
  terms: readonly number[];
}

/** An event on its way to the store, with its serialized content. */
export interface EventWithText extends Omit<NewEvent, keyof EventContent> {
  text: StoredText;
}

/** Serializes the content of an event, with its digest and search terms. */
export function storedTextOf(content: EventContent): StoredText {
  const { kind, source } = content;
  const summary = JSON.stringify(content.summary);
  const detail = JSON.stringify(content.detail);
  const parts = searchPartsOf(content);
  const digest = hash('sha256', `[${summary},${detail}]`, 'base64url');
  return { kind, source, ...shortEventTexts({ summary, detail }), digest, parts, terms: termsOfParts(parts) };
}

/** Serializes the content of a new event before it gets its ledger entry. */
export const withStoredText = ({
  id,
  asOf,
  actor,
  repositoryId,
  pullRequest,
  ...content
}: NewEvent): EventWithText => ({
  id,
  asOf,
  actor,
  repositoryId,
  pullRequest,
  text: storedTextOf(content),
});

/** The parts of events; events with the same content count once. */
export const searchablePartsOf = (events: readonly EventWithText[]): EventPart[] =>
  Array.from(new Set(events.map(({ text }) => text)), ({ parts }) => parts).flat();

const cache = new Map<string, StoredText>();
/** Number of cached contents. */
const maxCached = 5000;

/** Caches frequently repeated content, such as views of one site. `key` must identify all input of `create`. */
export function cachedStoredText(key: string, create: () => EventContent): StoredText {
  const known = cache.get(key);
  if (known) return known;
  const text = storedTextOf(create());
  if (cache.size >= maxCached) cache.clear();
  cache.set(key, text);
  return text;
}
