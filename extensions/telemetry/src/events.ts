import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import { type IdentifiedType, type IdentifierOf, identifiersOf } from '@sightline/contract/timeline/identifiers.ts';

export type EventType = IdentifiedType;
export type Plugin = 'sightline-editor' | 'sightline-browser';

/** The IDs of the account and organization that an event is recorded for. */
export interface Owner {
  accountId: string;
  orgId: string;
}

export interface EventOrigin {
  plugin: Plugin;
  /** The program: `vscode`, `chrome`, … */
  source: string;
  /** Version of the extension. */
  version: string;
  /** Unix milliseconds. */
  clock?: () => number;
  id?: () => string;
}

export interface EventFields<Type extends EventType> {
  owner: Owner;
  identifiers?: Partial<Record<IdentifierOf<Type>, string | number | undefined>>;
  /** Only scheme and host are recorded. */
  contentUri?: string | undefined;
  /** Unix milliseconds, for an event in the past. */
  at?: number;
}

export type BuildEvent = <Type extends EventType>(type: Type, fields: EventFields<Type>) => IdentifyEvent;

/** Builds events that contain only the identifiers of `identifiersOf`, whatever is passed in. */
export function eventBuilder(origin: EventOrigin): BuildEvent {
  const { clock = Date.now, id = () => crypto.randomUUID() } = origin;
  return (type, { owner, identifiers = {}, contentUri, at = clock() }) => {
    const site = contentUri === undefined ? undefined : siteAddress(contentUri);
    return {
      plugin_id: origin.plugin,
      event_type: type,
      message_id: id(),
      org_id: owner.orgId,
      user_id: owner.accountId,
      identifiers: listed(type, identifiers),
      original_timestamp: new Date(inRange(at)).toISOString(),
      tracking_version: origin.version,
      tracking_source: origin.source,
      ...(site === undefined ? {} : { content_uri: site }),
    };
  };
}

/** Whether an event was recorded for this owner. */
export const isEventOf = (event: IdentifyEvent, owner: Owner): boolean =>
  event.org_id === owner.orgId && event.user_id === owner.accountId;

const longest = 500;

function listed(type: EventType, given: Partial<Record<string, string | number | undefined>>): Record<string, string> {
  const allowed: Record<string, string> = {};
  for (const name of identifiersOf[type]) {
    const value = given[name];
    const text = value === undefined ? '' : storable(String(value));
    if (text !== '') allowed[name] = text;
  }
  return allowed;
}

// Removes text that the server would reject: NUL and lone surrogates.
const storable = (value: string) => value.replaceAll('\0', '').slice(0, longest).toWellFormed();

// The local clock can have any value; the server accepts 1970 to 2100.
const inRange = (time: number) => Math.min(Math.max(Number.isFinite(time) ? time : 0, 0), Date.UTC(2100, 11, 31));

function siteAddress(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { protocol, hostname } = new URL(uri);
  return /^https?:$/.test(protocol) && hostname !== '' ? `https://${hostname}/` : undefined;
}
