import type { HostWorkspace } from '@sightline/contract/sources/host-connections.ts';
import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { Credentials, Holder } from '#providers/connectable.ts';
import { collect } from './reads.ts';
import { missingIn } from './scopes.ts';
import { placeIn } from './secrets.ts';
import { segment, type Transport } from './transport.ts';

const account = z.object({ nickname: z.string().nullish(), display_name: z.string().nullish() });
const workspace = z.object({
  uuid: z.string().min(1),
  slug: z.string().min(1),
  // Memberships name none.
  name: z.string().nullish(),
});
const repository = z.object({ uuid: z.string().min(1), name: z.string(), full_name: z.string(), workspace });
const membership = z.object({ administrator: z.boolean().nullish(), workspace });

/** `web`: where people open Bitbucket. Answers whose the credentials are, what they are for, and which workspaces they reach. */
export function createLook(transport: Transport, web: string, credentials: Credentials): () => Promise<Holder> {
  const placeOf = ({ uuid, slug, name }: z.output<typeof workspace>): HostWorkspace => ({
    id: uuid,
    kind: 'workspace',
    path: slug,
    name: name || slug,
    url: `${web}/${slug}/`,
  });

  return async () => {
    const named = placeIn(await credentials());
    // Nobody's token may lack the scope `account`; one that is wrong is told by what is asked next.
    const person = named === undefined ? await whoAmI(transport) : null;
    const path = named === undefined ? '/user/workspaces' : addressOf(named);
    const scopes = await transport.scopes(path);
    const missing = scopes === null ? [] : missingIn(scopes);
    const told = { login: person ?? 'Access token', scopes, missing };
    if (named !== undefined) {
      const json = await transport.json(path);
      const place = isRepository(named) ? repositoryPlace(repository.parse(json), web) : placeOf(workspace.parse(json));
      return { ...told, login: place.path, places: [place] };
    }
    const { values } = await collect(transport, path, { pagelen: 100 });
    const found = values.map((json) => membership.parse(json));
    const foreign = found.filter(({ administrator }) => administrator === false).map((one) => one.workspace.slug);
    return {
      ...told,
      missing: [...told.missing, ...foreign.map(unmanaged)],
      places: found.map((one) => placeOf(one.workspace)),
    };
  };
}

const isRepository = (named: string): boolean => named.includes('/');

const addressOf = (named: string): string =>
  `/${isRepository(named) ? 'repositories' : 'workspaces'}/${named.split('/').map(segment).join('/')}`;

const repositoryPlace = (found: z.output<typeof repository>, web: string): HostWorkspace => ({
  id: `${found.workspace.uuid}/${found.uuid}`,
  kind: 'repository',
  path: found.full_name,
  name: found.name,
  url: `${web}/${found.full_name}`,
});

const unmanaged = (slug: string): string =>
  `You do not administer the workspace ${slug}: webhooks are created only for repositories that you administer.`;

async function whoAmI({ json }: Transport): Promise<string | null> {
  const found = await json('/user').catch((error: unknown) => {
    if (error instanceof HostRefused && error.status === 403) return {};
    throw error;
  });
  const { nickname, display_name } = account.parse(found);
  return nickname ?? display_name ?? null;
}
