import type { HostWorkspace } from '@sightline/contract/sources/host-connections.ts';
import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { GrantHolder } from '#providers/connectable.ts';
import { uniqueNameOf } from './identities.ts';
import { readEvery } from './paging.ts';
import { collectionPathOf, idAt, instanceOf, project } from './shapes.ts';
import type { AzureDevopsApi } from './transport.ts';

const connection = z.object({
  authenticatedUser: z.object({
    id: z.string(),
    providerDisplayName: z.string().nullish(),
    properties: z.record(z.string(), z.object({ $value: z.unknown() }).nullish()).nullish(),
  }),
});

/** Anonymous requests have this account, also those with a token that is not from there. */
const anonymous = 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa';

const noIdentities =
  'The token cannot read identities. Give it the scope “Identity: Read” to connect authors of commits with accounts, and to read who has access.';

/** Reads the owner of a token and the projects that it can select. Throws HostRefused 401 if it is invalid. */
export const createHolderReader = (api: AzureDevopsApi) => async (): Promise<GrantHolder> => {
  const { authenticatedUser: found } = connection.parse(
    (await api.json('/_apis/connectionData', { isPreview: true })).data,
  );
  if (found.id.toLowerCase() === anonymous) throw new HostRefused(401, 'Azure DevOps does not know the token');
  const [instance, collection] = [instanceOf(api.baseURL), collectionPathOf(api.baseURL)];
  const projects = await readEvery(api, '/_apis/projects', { query: { $top: 1000 } });
  const places = projects.map((json): HostWorkspace => {
    const { id, name } = project.parse(json);
    const path = collection === '' ? name : `${collection}/${name}`;
    return { id: idAt(instance, id), kind: 'group', path, name, url: `${api.baseURL}/${encodeURIComponent(name)}` };
  });
  return {
    login: uniqueNameOf(found.properties) || found.providerDisplayName || found.id,
    // No endpoint tells the scopes of a token.
    scopes: null,
    missing: (await canReadIdentities(api, found.id)) ? [] : [noIdentities],
    places: places.toSorted((one, other) => one.path.localeCompare(other.path, 'en')),
  };
};

async function canReadIdentities(api: AzureDevopsApi, id: string): Promise<boolean> {
  try {
    await api.json('/_apis/identities', { site: 'identities', query: { identityIds: id, queryMembership: 'None' } });
    return true;
  } catch (error) {
    // At an address of its own, a token without the scope is rejected as if it were invalid.
    if (error instanceof HostRefused) return false;
    throw error;
  }
}
