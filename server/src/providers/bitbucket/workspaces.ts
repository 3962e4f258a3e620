import type { HostPlace } from '@sightline/contract/host-connections.ts';
import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { Credentials, Holder } from '#providers/connectable.ts';
import { collect } from './reads.ts';
import { missingIn } from './scopes.ts';
import { workspaceIn } from './secrets.ts';
import { segment, type Transport } from './transport.ts';

const account = z.object({ nickname: z.string().nullish(), display_name: z.string().nullish() });
const workspace = z.object({
  uuid: z.string().min(1),
  slug: z.string().min(1),
  // Memberships name none.
  name: z.string().nullish(),
});
const membership = z.object({ administrator: z.boolean().nullish(), workspace });

/** `web`: where people open Bitbucket. Answers whose the credentials are, what they are for, and which workspaces they reach. */
export function createLook(transport: Transport, web: string, credentials: Credentials): () => Promise<Holder> {
  const placeOf = ({ uuid, slug, name }: z.output<typeof workspace>): HostPlace => ({
    ...{ id: uuid, kind: 'workspace', path: slug, name: name || slug },
    url: `${web}/${slug}/`,
  });

  return async () => {
    const named = workspaceIn(await credentials());
    // Nobody's token may lack the scope `account`; one that is wrong is told by what is asked next.
    const person = named === undefined ? await whoAmI(transport) : null;
    const path = named === undefined ? '/user/workspaces' : `/workspaces/${segment(named)}`;
    const scopes = await transport.scopes(path);
    const missing = scopes === null ? [] : missingIn(scopes);
    const told = { login: person ?? 'Access token', scopes, missing };
    if (named !== undefined) {
      const found = workspace.parse(await transport.json(path));
      return { ...told, login: found.slug, places: [placeOf(found)] };
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

const unmanaged = (slug: string): string =>
  `Others administer the workspace ${slug}: webhooks are made only for those of its repositories that you administer.`;

async function whoAmI({ json }: Transport): Promise<string | null> {
  const found = await json('/user').catch((error: unknown) => {
    if (error instanceof HostRefused && error.status === 403) return {};
    throw error;
  });
  const { nickname, display_name } = account.parse(found);
  return nickname ?? display_name ?? null;
}
