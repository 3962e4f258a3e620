import type { TicketCategory, TrackerName } from '@sightline/contract/sources/trackers.ts';
import { importFolder } from '#core/import-folder.ts';
import type { Outbound } from '#core/outbound.ts';
import type { SignatureCheck } from '#core/signatures.ts';
import type { HostBudget } from './host-budget.ts';

/** A project of Jira, or a team of Linear. */
export interface TrackerProject {
  /** Prefix of its keys: `PAY`. */
  key: string;
  name: string;
  /** Names of the types in which tickets can be created; empty if the tracker has none. */
  types: readonly string[];
}

/** An account at the tracker. */
export interface TrackerPerson {
  id: string;
  name: string;
  /** Null if the tracker does not disclose it. */
  email: string | null;
}

export interface TrackerTicket {
  /** The ID of the tracker, which survives moves. */
  id: string;
  key: string;
  type: string | null;
  status: string;
  category: TicketCategory;
  assignee: TrackerPerson | null;
  url: string;
  createdAt: string;
  /** Whether the tracker itself says that it was deleted: Linear keeps such tickets for a while. */
  isDeleted: boolean;
}

/** A change of status or assignee, with the value before it. `at` is RFC 3339. */
export type TicketStep =
  | { at: string; field: 'status'; before: string }
  | { at: string; field: 'assignee'; before: string | null };

export interface NewTicket {
  /** A UUID of the request. A repeated request does not create a second ticket. */
  id: string;
  /** Whether an earlier attempt may have created it. */
  isRepeated: boolean;
  project: string;
  type: string | null;
  title: string;
  /** Plain text; lines are kept. */
  text: string;
}

/** An issue tracker with one token. All methods throw HostLimited, HostRefused or HostFailed. */
export interface IssueTracker {
  /** Reads the account of the token. HostRefused 401 for an invalid token. */
  look: () => Promise<{ account: string }>;
  projects: () => Promise<TrackerProject[]>;
  /** The ticket with a key, also a former one; undefined if the token sees none. */
  find: (key: string) => Promise<TrackerTicket | undefined>;
  /** Tickets by ID; absent: the token sees none. */
  findAll: (ids: readonly string[]) => Promise<ReadonlyMap<string, TrackerTicket>>;
  /** Oldest first. */
  historyOf: (id: string) => Promise<TicketStep[]>;
  /** An account by ID; undefined if the token sees none. */
  person: (id: string) => Promise<TrackerPerson | undefined>;
  create: (ticket: NewTicket) => Promise<TrackerTicket>;
  /** Moves a ticket to a status of the category, unless it has one. HostRefused 409 if no step leads there. */
  move: (ticket: Pick<TrackerTicket, 'id' | 'category'>, to: 'open' | 'done') => Promise<void>;
  /** Registers a webhook about tickets. Returns its ID. HostRefused 403 if the token may not. */
  registerWebhook: (webhook: { url: string; secret: string }) => Promise<string>;
  /** Succeeds if it is already deleted. */
  deleteWebhook: (id: string) => Promise<void>;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** How to connect one kind of issue tracker. */
export interface TrackerConnector {
  name: TrackerName;
  /** Whether users enter a URL; otherwise the tracker has one address. */
  needsURL: boolean;
  needsEmail: boolean;
  /** The address without an entered URL. */
  defaultURL: string;
  open: (outbound: Outbound, connection: TrackerConnection, budget?: HostBudget) => IssueTracker;
  webhook: {
    /** Undefined without a signature. */
    signatureOf: (headers: Headers, secret: string) => SignatureCheck | undefined;
    /** The ID of a delivery, which its repetitions share; undefined if the tracker sends none. */
    deliveryOf: (headers: Headers) => string | undefined;
    /** The IDs of the tickets that a body is about, and the name of its event. */
    parse: (body: unknown) => { event: string; ids: string[] };
  };
}

export interface TrackerConnection {
  baseURL: string;
  email: string | null;
  token: string;
}

export type TrackerConnectors = ReadonlyMap<TrackerName, TrackerConnector>;

interface TrackerModule {
  connector: TrackerConnector;
}

/** Every folder of trackers/ with a file tracker.ts is an issue tracker. */
export async function loadTrackerConnectors(): Promise<TrackerConnectors> {
  const modules = await importFolder<TrackerModule>('*/tracker.ts', new URL('./trackers/', import.meta.url));
  return new Map(modules.map(({ connector }) => [connector.name, connector]));
}

/** A value of a ticket at a time: the one before the first later change, or the present one. */
export function valueAt<Step extends TicketStep>(
  steps: readonly Step[],
  at: string,
  present: Step['before'],
): Step['before'] {
  const time = Date.parse(at);
  const [later] = steps
    .filter((step) => Date.parse(step.at) > time)
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return later === undefined ? present : later.before;
}

export const headerOf = (headers: Headers, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};
