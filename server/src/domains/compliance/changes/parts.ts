import type {
  AgentChangeRow,
  ChangeRow,
  CheckRun,
  MergeRow,
  NamedTicket,
  Review,
  TicketRow,
} from '@sightline/evidence/controls/change-rows.ts';
import type { Fact } from '@sightline/evidence/controls/facts.ts';
import type { Actor } from '@sightline/evidence/controls/persons.ts';

/**
 * The parts of a change record, in the form that control evaluation requires. Times are RFC 3339 in UTC with
 * milliseconds.
 */
export interface ChangeParts {
  headSha: Fact<string>;
  authors: Fact<readonly Actor[]>;
  lastPusher: Fact<Actor>;
  earlierPushers: Fact<readonly Actor[]>;
  unattestedCommits: Fact<number>;
  lastPushAt: Fact<string>;
  sessionOwners: Fact<readonly Actor[]>;
  reviews: Fact<readonly Review[]>;
  unreviewedFiles: Fact<number>;
  hostActivity: ChangeRow['hostActivity'];
  mergedBy: Fact<Actor>;
  mergeRequestedBy: MergeRow['mergeRequestedBy'];
  checks: Fact<readonly CheckRun[]>;
  requiredChecks: Fact<readonly string[]>;
  sourceBranch: TicketRow['sourceBranch'];
  labels: TicketRow['labels'];
  tickets: TicketRow['tickets'];
  /** Records of earlier versions lack it. */
  namedTickets: Fact<readonly NamedTicket[]>;
  linkedIssues: TicketRow['linkedIssues'];
  ai: AgentChangeRow['attributions'];
  agents: AgentChangeRow['agents'];
  pathMatches: AgentChangeRow['pathMatches'];
  changedLines: AgentChangeRow['changedLines'];
  configuredServers: AgentChangeRow['configuredServers'];
}

export type PartName = keyof ChangeParts;

/** The persons that a record names, without duplicates. */
export function personsOf({
  authors,
  lastPusher,
  earlierPushers,
  sessionOwners,
  reviews,
  mergedBy,
  mergeRequestedBy,
  agents,
}: ChangeParts): string[] {
  const actors = [
    ...listFrom(authors),
    ...listFrom(earlierPushers),
    ...listFrom(sessionOwners),
    ...listFrom(reviews).map(({ by }) => by),
    // Only of sessions that count as observed: a session at the same time does not involve its person.
    ...listFrom(agents).flatMap(({ sessions }) =>
      sessions.flatMap(({ owner, confidence }) => (owner === null || confidence === 'low' ? [] : [owner])),
    ),
    ...[lastPusher, mergedBy, mergeRequestedBy].flatMap((fact) => (fact.state === 'missing' ? [] : [fact.value])),
  ];
  return personIdsOf(actors);
}

export const personIdsOf = (actors: readonly Actor[]): string[] => [
  ...new Set(actors.flatMap((actor) => (actor.identity === 'unresolved' ? [] : [actor.person]))),
];

export const listFrom = <Item>(fact: Fact<readonly Item[]>): readonly Item[] =>
  fact.state === 'missing' ? [] : fact.value;

/** Removes duplicate actors. Every unresolved actor remains. */
export function distinctActors(actors: readonly Actor[]): Actor[] {
  const seen = new Set<string>();
  return actors.filter((actor) => {
    if (actor.identity === 'unresolved') return true;
    if (seen.has(actor.person)) return false;
    seen.add(actor.person);
    return true;
  });
}
