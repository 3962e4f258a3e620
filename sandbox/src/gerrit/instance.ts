import { randomBytes } from 'node:crypto';
import type { User } from '../git/users.ts';
import type { Host } from '../github/host.ts';
import { createStoredState } from '../stored-state.ts';

/** The path of the instance in the sandbox (`gerrit.canonicalWebUrl` may have one). */
export const gerritPath = '/gerrit';

type GerritState = { passwords: Record<string, { userId: number }> };

/**
 * A simulated Gerrit over the repositories of the sandbox, with the same people. A pull request is a change with its
 * number; the commits below its head are changes of their own, as in every series.
 */
export type Gerrit = {
  host: Host;
  /** HTTP passwords by themselves. */
  kept: GerritState;
  /** Call after a change of persistent state. */
  save: () => void;
  /** Whether accounts own their projects, which is required to read reflogs, access rights and labels. */
  areOwners: boolean;
  /** Whether the plugin Gitiles is installed. */
  hasGitiles: boolean;
  /** Whether the messages about the ends of changes are kept: administrators can delete messages. */
  keepsMessages: boolean;
  /** The URL of a list whose second page repeats the first one; undefined for none. */
  repeatedList: RegExp | undefined;
};

/** `file`: stores passwords across restarts; without it they are kept in memory only. */
export const createGerrit = (host: Host, file: string | undefined): Gerrit => {
  const fresh: GerritState = { passwords: {} };
  return {
    host,
    ...createStoredState(file, fresh),
    areOwners: true,
    hasGitiles: true,
    keepsMessages: true,
    repeatedList: undefined,
  };
};

export const addressOf = ({ host }: Pick<Gerrit, 'host'>): string => `${host.url}${gerritPath}`;

/** Creates an HTTP password, 42 characters of base64 as in the product. */
export const createPassword = (gerrit: Gerrit, user: User): string => {
  const password = randomBytes(32).toString('base64').slice(0, 42);
  gerrit.kept.passwords[password] = { userId: user.id };
  gerrit.save();
  return password;
};
