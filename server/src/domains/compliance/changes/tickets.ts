import type { Provider } from '@sightline/contract/core/providers.ts';
import type { NamedTicket, TicketRow } from '@sightline/evidence/controls/change-rows.ts';
import type { Fact } from '@sightline/evidence/controls/facts.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostList } from '#providers/host-evidence.ts';
import type { HostCommit, HostPullRequest } from '../../../providers/host-facts.ts';
import {
  type NamedTicketKey,
  resolveTicketKeys,
  saveResolvedTickets,
  type TicketResolution,
} from '../../sources/trackers/commands.ts';
import { resolveActors } from './actors.ts';
import { answerOf, complete, type HostAnswer, missing, partial, partOf, type SourcedPart } from './host-answer.ts';

const keyPattern = /\b[A-Z][A-Z0-9]{1,9}-\d{1,7}\b/g;
/** More keys are no reference to a ticket: a release lists them. The rest is unknown. */
const MAX_KEYS = 20;

type Referring = Pick<HostPullRequest, 'title' | 'headRef' | 'body'>;

/** The tickets that a pull request names, and whether every text that may name one was read. */
export interface TicketAnswer {
  keys: readonly string[];
  /** Whether title, branch and body were read. */
  isBodyRead: boolean;
  /** Whether every commit message was read, and every key. */
  isWhole: boolean;
  /** Undefined if no issue tracker is connected. */
  resolution: TicketResolution | undefined;
  /** RFC 3339. */
  at: string;
}

/** Ticket keys in the title, branch, body and commit messages with trailers, without duplicates, in this order. */
const ticketKeys = ({ title, headRef, body }: Referring, commits: readonly HostCommit[]): string[] => [
  ...new Set([title, headRef, body ?? '', ...commits.map(({ message }) => message)].join('\n').match(keyPattern)),
];

/** Reads the tickets that a pull request names from the connected trackers, as they were at `mergedAt`. */
export async function readTickets(
  services: Services,
  orgId: string,
  pullRequest: Referring,
  { commits, mergedAt }: { commits: HostAnswer<HostList<HostCommit>>; mergedAt: string },
): Promise<TicketAnswer> {
  const at = new Date().toISOString();
  const listed = answerOf(commits);
  const all = ticketKeys(pullRequest, listed?.items ?? []);
  const keys = all.slice(0, MAX_KEYS);
  return {
    keys,
    isBodyRead: pullRequest.body !== undefined,
    isWhole: listed?.isWhole === true && keys.length === all.length,
    resolution: keys.length === 0 ? undefined : await resolveTicketKeys(services, orgId, keys, mergedAt),
    at,
  };
}

interface TicketParts {
  tickets: SourcedPart<readonly TicketState[]>;
  namedTickets: SourcedPart<readonly NamedTicket[]>;
}
type TicketState = Extract<TicketRow['tickets'], { value: unknown }>['value'][number];

/** The parts of a record about tickets. Stores the tickets that were found. */
export async function ticketParts(
  services: Services,
  tx: Tx,
  { orgId, provider }: { orgId: string; provider: Provider },
  answer: TicketAnswer,
): Promise<TicketParts> {
  const { keys, resolution, at } = answer;
  if (!resolution) {
    // Without a tracker, only the absence of keys is known.
    const known: Fact<readonly never[]> = keys.length === 0 && isNoneCertain(answer) ? complete([]) : missing;
    return {
      tickets: partOf({ value: null, at }, known, 'not_requested'),
      namedTickets: partOf({ value: null, at }, known, 'not_requested'),
    };
  }
  await saveResolvedTickets(tx, orgId, resolution);
  const named = await namedTicketsOf(services, tx, { orgId, provider }, resolution.tickets);
  const states = named.map(({ state }) => (state === 'created_later' ? 'not_found' : state));
  const isCertain = isNoneCertain(answer) || (answer.isBodyRead && states.includes('resolved'));
  const sourced = <Value>(value: Value): SourcedPart<Value> => {
    const known = isCertain ? complete(value) : partial(value);
    const part = partOf({ value: null, at }, known, 'unsupported');
    // The states are known, and "unreachable" is one of them. A record with an answer replaces it, never the reverse.
    return resolution.reason === null
      ? part
      : { known, source: { state: 'partial', fetchedAt: at, reason: resolution.reason } };
  };
  return { tickets: sourced(states), namedTickets: sourced(named) };
}

const isNoneCertain = ({ isBodyRead, isWhole }: TicketAnswer): boolean => isBodyRead && isWhole;

async function namedTicketsOf(
  services: Services,
  tx: Tx,
  { orgId, provider }: { orgId: string; provider: Provider },
  tickets: readonly NamedTicketKey[],
): Promise<NamedTicket[]> {
  const people = tickets.flatMap(({ assignee }) => (assignee ? [assignee] : []));
  const actors = await resolveActors(services, tx, orgId, {
    provider,
    named: people.map(({ name, email }) => ({ name, email: email ?? '', login: null, avatarUrl: null })),
  });
  const actorOf = new Map(people.map((person, index) => [person, actors[index]]));
  return tickets.map(({ key, tracker, state, ticket, status, assignee }) => ({
    key,
    tracker,
    state,
    id: ticket?.id ?? null,
    type: state === 'resolved' ? (ticket?.type ?? null) : null,
    status: status === undefined ? missing : complete(status),
    assignee:
      assignee === undefined ? missing : complete(assignee === null ? null : (actorOf.get(assignee) ?? unresolved)),
  }));
}

const unresolved = { kind: 'unknown', identity: 'unresolved' } as const;
