import type { HostWorkspace } from '@sightline/contract/sources/host-connections.ts';
import type { GrantHolder } from '#providers/connectable.ts';
import { readPage } from './paging.ts';
import { readProjects } from './projects.ts';
import { idAt, instanceOf } from './shapes.ts';
import type { DataCenterApi } from './transport.ts';

/** Reads the owner of a token and the projects that it can select. Throws HostRefused 401 if it is invalid. */
export function createHolderReader(api: DataCenterApi, baseURL: string): () => Promise<GrantHolder> {
  const instance = instanceOf(baseURL);
  return async () => {
    const { login, projects } = await readProjects(api);
    const places: HostWorkspace[] = [];
    for (const { id, key, name, isPersonal, url } of projects) {
      if (isPersonal && !(await hasRepositories(api, key))) continue;
      places.push({
        id: idAt(instance, id),
        kind: isPersonal ? 'user' : 'group',
        path: key,
        name,
        url: url ?? `${baseURL}/projects/${encodeURIComponent(key)}`,
      });
    }
    return {
      login,
      // No endpoint tells the permissions of a token.
      scopes: null,
      missing: [],
      places: places.toSorted((one, other) => one.path.localeCompare(other.path, 'en')),
    };
  };
}

const hasRepositories = async (api: DataCenterApi, key: string): Promise<boolean> =>
  (await readPage(api, `/api/latest/projects/${encodeURIComponent(key)}/repos`, { limit: 1 }, null)).items.length > 0;
