import type { Actor } from '@sightline/evidence/controls/persons.ts';
import { agentOf } from '#core/agents.ts';
import type { HostCommit, HostPerson } from '../../../providers/host-facts.ts';
import { type HostIdentity, isProgram } from './actors.ts';
import type { Attributed } from './attribution/attributed.ts';

/** Who wrote commits, by roles: what is asked for once for all of them. */
export interface Writers {
  named: readonly HostIdentity[];
  commits: readonly WrittenCommit[];
}

/** A commit with its people, as places in `named`. */
interface WrittenCommit {
  commit: HostCommit;
  author: number;
  committer: number | undefined;
  helpers: readonly number[];
  /** Who is said to have started agents that wrote for it. */
  owners: readonly number[];
  /** Whether anything says that an agent wrote for it. */
  isAttributed: boolean;
}

const trailer = /^co-authored-by:[ \t]*([^<\n]*)<([^>\n]+)>[ \t]*$/gim;

// Of one commit. A note may name any number of people.
const mostOwners = 5;

/**
 * Those whom commits name as authors, committers and co-authors, and whom notes on them name as starting agents. A host that
 * commits for somebody is no committer.
 */
export function writersOf(commits: readonly HostCommit[], attributed: readonly Attributed[] = []): Writers {
  const named: HostIdentity[] = [];
  const add = (one: HostIdentity) => named.push(one) - 1;
  const saidOf = Map.groupBy(attributed, ({ commit }) => commit);
  const found = commits.map((commit) => ({
    commit,
    isAttributed: saidOf.has(commit.sha),
    owners: ownersNamed(saidOf.get(commit.sha) ?? []).map(add),
    author: add(commit.author),
    committer: isHost(commit.committer) ? undefined : add(commit.committer),
    helpers: [...commit.message.matchAll(trailer)].map(([, name = '', email = '']) =>
      add({ name: name.trim(), email: email.trim().toLowerCase(), login: null, avatarUrl: null }),
    ),
  }));
  return { named, commits: found };
}

const ownersNamed = (said: readonly Attributed[]): HostPerson[] =>
  [...new Map(said.flatMap(({ owner }) => (owner ? [[owner.email, owner]] : []))).values()].slice(0, mostOwners);

const isHost = ({ login, email, name }: HostPerson): boolean =>
  login === 'web-flow' || email === 'noreply@github.com' || (email === '' && name === '' && login === null);

/** Everybody who had a part in writing. A program that committed for somebody had none. */
export function authorsIn({ named, commits }: Writers, actors: readonly Actor[]): Actor[] {
  return commits.flatMap(({ author, committer, helpers }) => {
    const places = [author, ...helpers];
    const by = committer === undefined ? undefined : named[committer];
    if (committer !== undefined && by && !isProgram(by)) places.push(committer);
    return places.flatMap((place) => actors[place] ?? []);
  });
}

/**
 * Who started the sessions of the agents that wrote for commits: whoever a note names, else whoever else wrote or committed the
 * commit. Where only a program stands in a commit, somebody did whom nobody names.
 */
export function ownersIn({ commits }: Pick<Writers, 'commits'>, actors: readonly Actor[]): Actor[] {
  return commits.flatMap(({ commit, author, committer, helpers, owners, isAttributed }) => {
    const those = (places: readonly (number | undefined)[]) =>
      places.flatMap((place) => (place === undefined ? [] : (actors[place] ?? [])));
    const people = those([author, committer, ...helpers]);
    const isByAgent =
      isAttributed ||
      agentOf(commit.author.login, commit.message) !== null ||
      people.some(({ kind }) => kind === 'agent');
    if (!isByAgent) return [];
    const named = those(owners);
    if (named.length > 0) return named;
    const others = people.filter(({ kind }) => kind !== 'agent');
    return others.length > 0 ? others : [{ kind: 'unknown', identity: 'unresolved' } as const];
  });
}
