import type { EventKind, Parameter, Summary } from '@sightline/contract/timeline/events.ts';
import { fieldParts } from '@sightline/contract/timeline/query-language/keys.ts';

export interface NewEvent {
  /** The ID of the message, or one derived from the fact, so that a resent message is the same event. */
  id: string;
  kind: EventKind;
  /** RFC 3339 UTC. */
  asOf: string;
  /** The person who performed the activity, if known. */
  actor: string | null;
  repositoryId: string | null;
  pullRequest: number | null;
  source: string;
  summary: Summary;
  detail: { label: string; parameter: Parameter }[];
  /** Search words of the event in addition to its summary. */
  words: string;
  /** Field values for qualifiers in addition to those of its sentence and details. */
  fields?: EventFieldValues;
}

export type EventFieldValues = Partial<Record<EventField, readonly string[]>>;

export type EventField = (typeof fieldNames)[number];

/** The content of an event before it is converted for storage. */
export type EventContent = Pick<NewEvent, 'kind' | 'source' | 'summary' | 'detail' | 'words' | 'fields'>;

/** The multi-valued fields for qualifiers of a query, in addition to the columns of an event. */
export const fieldNames = [...fieldParts, 'ext', 'source'] as const;
