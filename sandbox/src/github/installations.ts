import { stableId, type User } from '../git/users.ts';
import { type Host, type Installation, repositoriesOf } from './host.ts';
import type { GithubAccount, HostedRepository } from './hosted-repository.ts';
import { accountJson } from './responses/account.ts';
import { installationJson } from './responses/installation.ts';
import { summaryJson } from './responses/repository.ts';

/** `repositories`: selected IDs, or 'all' of the account. */
export type Selection = 'all' | number[];

/** Installs the app on an account, or changes the repositories of an existing installation. */
export const install = (host: Host, account: GithubAccount, repositories: Selection, by: User): Installation => {
  const known = [...host.installations.values()].find((installation) => installation.account.id === account.id);
  if (known !== undefined) return changeSelection(host, known, repositories, by);
  const now = Date.now();
  const installation: Installation = {
    id: newId(host, account),
    account,
    selection: repositories === 'all' ? 'all' : 'selected',
    selected: new Set(repositories === 'all' ? [] : repositories),
    createdAt: now,
    updatedAt: now,
    suspendedAt: null,
    suspendedBy: null,
    installedBy: by,
    permissions: { ...host.app.permissions },
  };
  host.installations.set(installation.id, installation);
  announce(host, {
    installation,
    event: 'installation',
    action: 'created',
    by,
    rest: { repositories: summaries(host, installation) },
  });
  return installation;
};

/** Stable across restarts, so that connections persist, but never the ID of a removed installation, as on GitHub. */
const newId = ({ app, uninstalled }: Host, { login }: GithubAccount): number =>
  stableId(`installation:${app.appId}:${login.toLowerCase()}${uninstalled === 0 ? '' : `:${uninstalled}`}`);

export const uninstall = (host: Host, installation: Installation, by: User): void => {
  const repositories = summaries(host, installation);
  host.installations.delete(installation.id);
  host.uninstalled += 1;
  for (const [token, { kind, holder }] of host.tokens) {
    if (kind === 'installation' && holder === installation.id) host.tokens.delete(token);
  }
  announce(host, { installation, event: 'installation', action: 'deleted', by, rest: { repositories } });
};

export const suspend = (host: Host, installation: Installation, by: User): void => {
  if (installation.suspendedAt !== null) return;
  const now = Date.now();
  Object.assign(installation, { suspendedAt: now, suspendedBy: by, updatedAt: now });
  announce(host, {
    installation,
    event: 'installation',
    action: 'suspend',
    by,
    rest: { repositories: summaries(host, installation) },
  });
};

export const unsuspend = (host: Host, installation: Installation, by: User): void => {
  if (installation.suspendedAt === null) return;
  Object.assign(installation, { suspendedAt: null, suspendedBy: null, updatedAt: Date.now() });
  announce(host, {
    installation,
    event: 'installation',
    action: 'unsuspend',
    by,
    rest: { repositories: summaries(host, installation) },
  });
};

/** Changes the repositories of an installation, and sends the added and removed ones. */
export const changeSelection = (
  host: Host,
  installation: Installation,
  repositories: Selection,
  by: User,
): Installation => {
  const before = repositoriesOf(host, installation);
  installation.selection = repositories === 'all' ? 'all' : 'selected';
  installation.selected = new Set(repositories === 'all' ? [] : repositories);
  installation.updatedAt = Date.now();
  const after = repositoriesOf(host, installation);
  const added = after.filter((repository) => !before.includes(repository)).map(summaryJson);
  const removed = before.filter((repository) => !after.includes(repository)).map(summaryJson);
  const sendRepositoriesChanged = (action: string, changed: Record<string, unknown>): void =>
    announce(host, {
      installation,
      event: 'installation_repositories',
      action,
      by,
      rest: {
        repository_selection: installation.selection,
        ...changed,
        requester: null,
      },
    });
  if (added.length > 0) sendRepositoriesChanged('added', { repositories_added: added, repositories_removed: [] });
  if (removed.length > 0) sendRepositoriesChanged('removed', { repositories_added: [], repositories_removed: removed });
  return installation;
};

/** Grants, changes or removes a permission of an installation. */
export const setPermission = (
  host: Host,
  {
    installation,
    name,
    level,
    by,
  }: { installation: Installation; name: string; level: 'read' | 'write' | null; by: User },
): Installation => {
  if (level === null) delete installation.permissions[name];
  else installation.permissions[name] = level;
  installation.updatedAt = Date.now();
  announce(host, { installation, event: 'installation', action: 'new_permissions_accepted', by, rest: {} });
  return installation;
};

/** The installation that receives webhooks of a repository; undefined while suspended. */
export const listenerOf = (host: Host, repository: HostedRepository): Installation | undefined =>
  [...host.installations.values()].find(
    (installation) => installation.suspendedAt === null && repositoriesOf(host, installation).includes(repository),
  );

const summaries = (host: Host, installation: Installation) => repositoriesOf(host, installation).map(summaryJson);

const announce = (
  host: Host,
  {
    installation,
    event,
    action,
    by,
    rest,
  }: { installation: Installation; event: string; action: string; by: User; rest: Record<string, unknown> },
): void => {
  host.save();
  const payload = {
    action,
    // Unlike REST, these webhooks have times in epoch seconds.
    installation: { ...installationJson(host, installation), ...inSeconds(installation) },
    ...rest,
    sender: accountJson(host, by),
  };
  void host.webhooks.send({ event, installationId: installation.id, repositoryId: null, payload });
};

const inSeconds = ({ createdAt, updatedAt }: Installation) => ({
  created_at: Math.floor(createdAt / 1000),
  updated_at: Math.floor(updatedAt / 1000),
});
