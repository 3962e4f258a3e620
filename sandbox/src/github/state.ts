import { readStored, storeState } from '../stored-state.ts';
import { accountsOf, type Host, type Permissions } from './host.ts';

type InstallationState = {
  id: number;
  account: string;
  selection: 'all' | 'selected';
  selected: string[];
  createdAt: number;
  updatedAt: number;
  suspendedAt: number | null;
  suspendedBy: string | null;
  installedBy: string | null;
  /** Absent in files of earlier releases: the permissions of the app apply. */
  permissions?: Permissions;
};

/** Stores installations in a file, so that they persist across restarts. */
export const persistState = (host: Host, file: string): void => {
  restore(host, readStored<InstallationState[]>(file) ?? []);
  host.save = () => storeState(file, snapshot(host));
};

const snapshot = (host: Host): InstallationState[] =>
  [...host.installations.values()].map(({ account, selected, suspendedBy, installedBy, ...rest }) => ({
    ...rest,
    account: account.login,
    selected: host.repositories.filter(({ id }) => selected.has(id)).map(({ name }) => name),
    suspendedBy: suspendedBy?.login ?? null,
    installedBy: installedBy?.login ?? null,
  }));

// Users and repositories are matched by name; deleted ones are omitted.
const restore = (host: Host, saved: InstallationState[]): void => {
  const person = (login: string | null) => host.users.byLogin.get(login?.toLowerCase() ?? '');
  for (const { account: login, selected, suspendedBy, installedBy, ...rest } of saved) {
    const account = accountsOf(host).find((candidate) => candidate.login === login);
    if (account === undefined) continue;
    const chosen = host.repositories.filter(({ owner, name }) => owner.id === account.id && selected.includes(name));
    host.installations.set(rest.id, {
      ...rest,
      account,
      selected: new Set(chosen.map(({ id }) => id)),
      suspendedBy: person(suspendedBy) ?? null,
      installedBy: person(installedBy),
      permissions: rest.permissions ?? { ...host.app.permissions },
    });
  }
};
