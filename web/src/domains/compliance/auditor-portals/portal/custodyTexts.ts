import type {
  getPortalChange,
  PortalActorOfChange,
  PortalPerson,
} from '@sightline/contract/compliance/portal-changes.ts';
import { pseudonymOf } from '@sightline/contract/compliance/portal-changes.ts';
import type { CallOutput } from '@sightline/contract/core/endpoint.ts';

export type PortalChange = CallOutput<typeof getPortalChange>;
export type CustodyPart = keyof PortalChange['parts'];

/** How the page names persons: by name where the portal has names, otherwise by pseudonym. */
export interface PersonNames {
  ofPerson: (id: string) => string;
  ofActor: (actor: PortalActorOfChange) => string;
}

export function nameWith(people: readonly PortalPerson[]): PersonNames {
  const known = new Map(people.map((person) => [person.id, person.name ?? person.pseudonym]));
  const ofPerson = (id: string) => known.get(id) ?? pseudonymOf(id);
  return {
    ofPerson,
    ofActor: ({ person, kind, identity }) => {
      const name = person === null ? 'Unresolved person' : ofPerson(person);
      const notes = [kind === 'agent' && 'agent', identity === 'guessed' && 'by similar name, not certain'];
      const shown = notes.filter((note) => note !== false);
      return shown.length > 0 ? `${name} (${shown.join(', ')})` : name;
    },
  };
}

export const partLabels: Record<CustodyPart, string> = {
  authors: 'authors',
  sessionOwners: 'owners of agent sessions',
  ai: 'agent attribution',
  agents: 'telemetry of agents',
  headSha: 'head commit',
  lastPusher: 'last pusher',
  earlierPushers: 'earlier pushers',
  unattestedCommits: 'proof of authorship',
  lastPushAt: 'time of the last push',
  reviews: 'reviews',
  unreviewedFiles: 'content of the merged commit',
  hostActivity: 'activity on the code host',
  requiredChecks: 'required checks',
  checks: 'checks',
  sourceBranch: 'source branch',
  labels: 'labels',
  tickets: 'tickets',
  linkedIssues: 'linked issues',
  pathMatches: 'changed files',
  changedLines: 'changed lines',
  configuredServers: 'agent configuration',
  mergeRequestedBy: 'merge requester',
  mergedBy: 'merger',
};
