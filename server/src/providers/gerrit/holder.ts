import type { HostWorkspace } from '@sightline/contract/sources/host-connections.ts';
import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { GrantHolder } from '#providers/connectable.ts';
import type { HostPage } from '../host-facts.ts';
import { readProjects } from './paging.ts';
import { idAt, instanceOf, maybeUser } from './shapes.ts';
import type { GerritApi } from './transport.ts';

const account = z.unknown().pipe(maybeUser);

const noGitiles =
  'The instance has no plugin Gitiles, or the account may not use it, so that no history can be read. Ask its administrator to install it.';

/**
 * Reads the account and the folders of projects that it can select: a folder is the name of projects up to the first
 * slash, and projects without one are a folder of their own. Throws HostRefused 401 for invalid credentials.
 */
export function createHolderReader(api: GerritApi, baseURL: string): () => Promise<GrantHolder> {
  const instance = instanceOf(baseURL);
  return async () => {
    const found = account.parse(await api.json('/accounts/self/detail'));
    if (found === null) throw new HostRefused(401, 'The code host does not tell whose credentials these are');
    const folders = await readFolders(api);
    const places = [...folders].map(
      (folder): HostWorkspace => ({
        id: idAt(instance, folder),
        kind: folder === '' ? 'workspace' : 'group',
        path: folder === '' ? instance : folder,
        name: folder === '' ? 'Projects without a folder' : folder,
        url: `${baseURL}/admin/repos${folder === '' ? '' : `/q/filter:${encodeURIComponent(`${folder}/`)}`}`,
      }),
    );
    return {
      login: found.login,
      // The access rights of the account decide.
      scopes: null,
      missing: (await hasGitiles(api)) ? [] : [noGitiles],
      places: places.toSorted((one, other) => one.path.localeCompare(other.path, 'en')),
    };
  };
}

async function readFolders(api: GerritApi): Promise<ReadonlySet<string>> {
  const folders = new Set<string>();
  let page: string | null = null;
  do {
    const { items, next }: HostPage<{ name: string }> = await readProjects(api, '', page);
    for (const { name } of items) folders.add(name.includes('/') ? name.slice(0, name.indexOf('/')) : '');
    page = next;
  } while (page !== null);
  return folders;
}

async function hasGitiles(api: GerritApi): Promise<boolean> {
  try {
    await api.json('/plugins/gitiles/', { format: 'JSON', n: 1 });
    return true;
  } catch (error) {
    if (error instanceof HostRefused && [403, 404].includes(error.status)) return false;
    throw error;
  }
}
