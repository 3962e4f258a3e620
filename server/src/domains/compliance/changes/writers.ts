import type { Actor } from '@sightline/evidence/controls/persons.ts';
import { agentOfCommit } from '#core/agents.ts';
import type { HostCommit, HostPerson } from '../../../providers/host-facts.ts';
import { type HostIdentity, isProgram } from './actors.ts';
import type { AttributionClaim } from './attribution/attribution-claim.ts';

/** The participants of commits by role; `named` is resolved once for all. */
export interface CommitParticipants {
  named: readonly HostIdentity[];
  commits: readonly WrittenCommit[];
}

/** A commit with its participants, as indexes of `named`. */
interface WrittenCommit {
  commit: HostCommit;
  author: number;
  committer: number | undefined;
  helpers: readonly number[];
  /** The named owners of agent sessions. */
  owners: readonly number[];
  /** Whether any source attributes a part to an agent. */
  isAttributed: boolean;
}

const trailer = /^co-authored-by:[ \t]*([^<\n]*)<([^>\n]+)>[ \t]*$/gim;

// Per commit, because a note may name any number of persons.
const MAX_OWNERS = 5;

/**
 * Collects the authors, committers and co-authors of commits, and the session owners that notes name. A code host that
 * commits for a user is no committer.
 */
export function participantsOf(
  commits: readonly HostCommit[],
  attributed: readonly AttributionClaim[] = [],
): CommitParticipants {
  const named: HostIdentity[] = [];
  const add = (one: HostIdentity) => named.push(one) - 1;
  const claimsOf = Map.groupBy(attributed, ({ commit }) => commit);
  const found = commits.map((commit) => ({
    commit,
    isAttributed: claimsOf.has(commit.sha),
    owners: namedOwners(claimsOf.get(commit.sha) ?? []).map(add),
    author: add(commit.author),
    committer: isHost(commit.committer) ? undefined : add(commit.committer),
    helpers: [...commit.message.matchAll(trailer)].map(([, name = '', email = '']) =>
      add({ name: name.trim(), email: email.trim().toLowerCase(), login: null, avatarUrl: null }),
    ),
  }));
  return { named, commits: found };
}

const namedOwners = (claims: readonly AttributionClaim[]): HostPerson[] =>
  [...new Map(claims.flatMap(({ owner }) => (owner ? [[owner.email, owner]] : []))).values()].slice(0, MAX_OWNERS);

const isHost = ({ login, email, name }: HostPerson): boolean =>
  login === 'web-flow' || email === 'noreply@github.com' || (email === '' && name === '' && login === null);

/** The participants who wrote the commits. A program that commits for a user is none. */
export function authorsOf({ named, commits }: CommitParticipants, actors: readonly Actor[]): Actor[] {
  return commits.flatMap(({ author, committer, helpers }) => {
    const indexes = [author, ...helpers];
    const by = committer === undefined ? undefined : named[committer];
    if (committer !== undefined && by && !isProgram(by)) indexes.push(committer);
    return indexes.flatMap((index) => actors[index] ?? []);
  });
}

/**
 * Who started the agent sessions behind commits: the owner that a note names, otherwise the other participants. If a
 * commit has only a program, the owner is unresolved.
 */
export function sessionOwnersOf({ commits }: Pick<CommitParticipants, 'commits'>, actors: readonly Actor[]): Actor[] {
  return commits.flatMap(({ commit, author, committer, helpers, owners, isAttributed }) => {
    const actorsAt = (indexes: readonly (number | undefined)[]) =>
      indexes.flatMap((index) => (index === undefined ? [] : (actors[index] ?? [])));
    const people = actorsAt([author, committer, ...helpers]);
    const isByAgent = isAttributed || agentOfCommit(commit) !== null || people.some(({ kind }) => kind === 'agent');
    if (!isByAgent) return [];
    const named = actorsAt(owners);
    if (named.length > 0) return named;
    const others = people.filter(({ kind }) => kind !== 'agent');
    return others.length > 0 ? others : [{ kind: 'unknown', identity: 'unresolved' } as const];
  });
}
