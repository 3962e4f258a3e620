import type { Actor } from '@sightline/evidence/controls/persons.ts';
import { agentOf } from '#core/agents.ts';
import type { HostCommit, HostPerson } from '#providers/code-host.ts';
import { isProgram, type Named } from './actors.ts';

/** Who wrote commits, by roles: what is asked for once for all of them. */
export interface Writers {
  named: readonly Named[];
  /** Each commit's people, as places in `named`. */
  commits: readonly { commit: HostCommit; author: number; committer: number | undefined; helpers: readonly number[] }[];
}

const trailer = /^co-authored-by:[ \t]*([^<\n]*)<([^>\n]+)>[ \t]*$/gim;

/** Those whom commits name as authors, committers and co-authors. A host that commits for somebody is no committer. */
export function writersOf(commits: readonly HostCommit[]): Writers {
  const named: Named[] = [];
  const add = (one: Named) => named.push(one) - 1;
  const found = commits.map((commit) => ({
    commit,
    author: add(commit.author),
    committer: isHost(commit.committer) ? undefined : add(commit.committer),
    helpers: [...commit.message.matchAll(trailer)].map(([, name = '', email = '']) =>
      add({ name: name.trim(), email: email.trim().toLowerCase(), login: null, avatarUrl: null }),
    ),
  }));
  return { named, commits: found };
}

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
 * Who started the sessions of the agents that commits name: whoever else wrote or committed the commit. Where only a program
 * stands in a commit, somebody did whom nobody names.
 */
export function ownersIn({ commits }: Writers, actors: readonly Actor[]): Actor[] {
  return commits.flatMap(({ commit, author, committer, helpers }) => {
    const people = [author, committer, ...helpers].flatMap((place) =>
      place === undefined ? [] : (actors[place] ?? []),
    );
    const isByAgent =
      agentOf(commit.author.login, commit.message) !== null || people.some(({ kind }) => kind === 'agent');
    if (!isByAgent) return [];
    const owners = people.filter(({ kind }) => kind !== 'agent');
    return owners.length > 0 ? owners : [{ kind: 'unknown', identity: 'unresolved' } as const];
  });
}

/** A commit that says an agent wrote for it. `lines`: 1 where nobody told how many. */
export interface Declared {
  commit: string;
  agent: string;
  lines: number;
  source: 'git-ai' | 'trailer' | 'host';
}

/** What commits declare: by a note on them, by whose account wrote them, by their trailers. */
export const declaredIn = ({ commits }: Pick<Writers, 'commits'>, notes: ReadonlyMap<string, string>): Declared[] =>
  commits.flatMap(({ commit }) => {
    const noted = notes.get(commit.sha);
    const agent = noted ?? agentOf(commit.author.login, commit.message);
    if (agent === null) return [];
    const isHost = commit.author.login?.endsWith('[bot]') === true;
    const source = noted !== undefined ? 'git-ai' : isHost ? 'host' : 'trailer';
    return [{ commit: commit.sha, agent, lines: Math.max(1, commit.changes?.additions ?? 1), source }];
  });
