import type { HostWorkspace } from '@sightline/contract/sources/host-connections.ts';
import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { GrantHolder } from '#providers/connectable.ts';
import { readEveryItem, readPage } from './paging.ts';
import { hostId, idAt, instanceOf } from './shapes.ts';
import type { GiteaApi } from './transport.ts';

const holder = z.object({ id: hostId, login: z.string() });
const organization = z.object({
  id: hostId,
  name: z.string().nullish(),
  username: z.string().nullish(),
  full_name: z.string().nullish(),
});

const noOrganizations =
  'The token cannot read organizations. Give it the scope “organization: Read” to select repositories of organizations.';

/** Reads the owner of a token and the organizations that it can select. Throws HostRefused 401 if it is invalid. */
export function createHolderReader(api: GiteaApi, baseURL: string): () => Promise<GrantHolder> {
  const instance = instanceOf(baseURL);
  return async () => {
    const { id, login } = holder.parse((await api.json('/user')).data);
    const organizations = await readEveryItem(api, '/user/orgs').catch((error: unknown) => {
      if (error instanceof HostRefused && error.status === 403) return undefined;
      throw error;
    });
    const places = (organizations ?? []).map((json): HostWorkspace => {
      const one = organization.parse(json);
      const path = one.username || one.name || '';
      return {
        id: idAt(instance, one.id),
        kind: 'group',
        path,
        name: one.full_name || path,
        url: `${baseURL}/${path}`,
      };
    });
    if (await ownsRepositories(api, id)) {
      places.push({ id: idAt(instance, id), kind: 'user', path: login, name: login, url: `${baseURL}/${login}` });
    }
    return {
      login,
      // No endpoint tells the scopes of a token.
      scopes: null,
      missing: organizations ? [] : [noOrganizations],
      places: places.toSorted((one, other) => one.path.localeCompare(other.path, 'en')),
    };
  };
}

async function ownsRepositories(api: GiteaApi, id: string): Promise<boolean> {
  const query = { uid: Number(id), exclusive: true };
  const { items } = await readPage(api, '/repos/search', query, null);
  return items.length > 0;
}
