import type { EventKind, Parameter, Summary } from '@sightline/contract/timeline/events.ts';
import { fieldParts } from '@sightline/contract/timeline/query-language/keys.ts';

export interface NewEvent {
  /** The message's own id, or one derived from the fact it tells: a resend is the same event. */
  id: string;
  kind: EventKind;
  /** RFC 3339 UTC. */
  asOf: string;
  /** The person who did it, where known. */
  actor: string | null;
  repositoryId: string | null;
  pullRequest: number | null;
  source: string;
  summary: Summary;
  detail: { label: string; parameter: Parameter }[];
  /** What the event is found by, beside the words of its summary. */
  words: string;
  /** What qualifiers of a query find it by, beside what its sentence and details name. */
  fields?: Fields;
}

export type Fields = Partial<Record<Field, readonly string[]>>;

export type Field = (typeof fieldNames)[number];

/** What an event tells, before it is put into the form that is kept. */
export type Telling = Pick<NewEvent, 'kind' | 'source' | 'summary' | 'detail' | 'words' | 'fields'>;

/** What a qualifier of a query can ask of an event beside its columns; each of them can have several values. */
export const fieldNames = [...fieldParts, 'ext', 'source'] as const;
