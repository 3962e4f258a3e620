import type { AccessRole, PlantedAccess, Repository } from './model.ts';
import { type User, userOf } from './users.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const RECENT_DAYS = 180;
const roles: readonly AccessRole[] = ['read', 'triage', 'write', 'maintain', 'admin'];

export type PersonWithAccess = PlantedAccess['people'][number];

/** The access to a repository. Without planted access, recent authors can write. */
export const accessTo = (git: Repository, users: Parameters<typeof userOf>[0]): PlantedAccess =>
  git.planted.access ?? {
    people: recentAuthors(git, users).map(({ login }) => ({ login, role: 'write', via: 'direct' })),
    teams: [],
    keys: [],
    apps: [],
    owners: [],
  };

/** Every account with access and its highest role, by its first route: named, by team, or as an owner. */
export const peopleOfAccess = ({ people, teams, owners }: PlantedAccess): PersonWithAccess[] => {
  const all: PersonWithAccess[] = [
    ...people,
    ...teams.flatMap(({ role, members }) => members.map((login) => ({ login, role, via: 'organization' as const }))),
    ...owners.map((login) => ({ login, role: 'admin' as const, via: 'organization' as const })),
  ];
  const found = new Map<string, PersonWithAccess>();
  for (const one of all) {
    const known = found.get(one.login.toLowerCase());
    const role = known && roles.indexOf(known.role) > roles.indexOf(one.role) ? known.role : one.role;
    found.set(one.login.toLowerCase(), { ...(known ?? one), role });
  }
  return [...found.values()];
};

/** The roles that a role includes, lowest first. */
export const includedRoles = (role: AccessRole): AccessRole[] => roles.slice(0, roles.indexOf(role) + 1);

const recentAuthors = ({ commits }: Repository, users: Parameters<typeof userOf>[0]): User[] => {
  let latest = 0;
  for (const { committer } of commits.values()) latest = Math.max(latest, committer.at);
  const authors = new Set<User>();
  for (const { author, committer } of commits.values()) {
    const user = committer.at < latest - RECENT_DAYS * DAY_MS ? undefined : userOf(users, author);
    if (user?.type === 'User' && user.login !== 'web-flow') authors.add(user);
  }
  return [...authors].sort((one, other) => one.id - other.id);
};
