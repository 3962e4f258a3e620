import type { HostWorkspace } from '@sightline/contract/sources/host-connections.ts';
import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { CredentialSource, GrantHolder } from '#providers/connectable.ts';
import { readAllPages } from './reads.ts';
import { missingScopeMessages } from './scopes.ts';
import { scopeIn } from './secrets.ts';
import { type BitbucketTransport, pathSegment } from './transport.ts';

const account = z.object({ nickname: z.string().nullish(), display_name: z.string().nullish() });
const workspace = z.object({
  uuid: z.string().min(1),
  slug: z.string().min(1),
  // Absent in memberships.
  name: z.string().nullish(),
});
const repository = z.object({ uuid: z.string().min(1), name: z.string(), full_name: z.string(), workspace });
const membership = z.object({ administrator: z.boolean().nullish(), workspace });

/** Reads the owner, the scopes and the workspaces of the credentials. `web`: the URL of the web interface. */
export function createHolderReader(
  transport: BitbucketTransport,
  web: string,
  credentials: CredentialSource,
): () => Promise<GrantHolder> {
  const scopeOf = ({ uuid, slug, name }: z.output<typeof workspace>): HostWorkspace => ({
    id: uuid,
    kind: 'workspace',
    path: slug,
    name: name || slug,
    url: `${web}/${slug}/`,
  });

  return async () => {
    const named = scopeIn(await credentials());
    // The scope `account` is optional. The next request rejects an invalid token.
    const person = named === undefined ? await whoAmI(transport) : null;
    const path = named === undefined ? '/user/workspaces' : addressOf(named);
    const scopes = await transport.scopes(path);
    const missing = scopes === null ? [] : missingScopeMessages(scopes);
    const holder = { login: person ?? 'Access token', scopes, missing };
    if (named !== undefined) {
      const json = await transport.json(path);
      const scope = isRepository(named) ? repositoryScope(repository.parse(json), web) : scopeOf(workspace.parse(json));
      return { ...holder, login: scope.path, places: [scope] };
    }
    const { values } = await readAllPages(transport, path, { pagelen: 100 });
    const found = values.map((json) => membership.parse(json));
    const foreign = found.filter(({ administrator }) => administrator === false).map((one) => one.workspace.slug);
    return {
      ...holder,
      missing: [...holder.missing, ...foreign.map(unmanaged)],
      places: found.map((one) => scopeOf(one.workspace)),
    };
  };
}

const isRepository = (named: string): boolean => named.includes('/');

const addressOf = (named: string): string =>
  `/${isRepository(named) ? 'repositories' : 'workspaces'}/${named.split('/').map(pathSegment).join('/')}`;

const repositoryScope = (found: z.output<typeof repository>, web: string): HostWorkspace => ({
  id: `${found.workspace.uuid}/${found.uuid}`,
  kind: 'repository',
  path: found.full_name,
  name: found.name,
  url: `${web}/${found.full_name}`,
});

const unmanaged = (slug: string): string =>
  `You do not administer the workspace ${slug}: webhooks are created only for repositories that you administer.`;

async function whoAmI({ json }: BitbucketTransport): Promise<string | null> {
  const found = await json('/user').catch((error: unknown) => {
    if (error instanceof HostRefused && error.status === 403) return {};
    throw error;
  });
  const { nickname, display_name } = account.parse(found);
  return nickname ?? display_name ?? null;
}
