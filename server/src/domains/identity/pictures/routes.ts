import { Readable } from 'node:stream';
import { getPicture, pictureTypes } from '@sightline/contract/identity/pictures.ts';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#config.ts';
import { NotFound } from '#core/errors.ts';
import { createOutbound } from '#core/outbound.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';

const limits = { size: 512 * 1024, timeout: 5_000 };
const keptSeconds = 86_400;

/**
 * Proxies pictures of people and logos of organizations from code hosts, identity providers and websites. Browsers load
 * them only from here, so that those sites learn nothing about readers, and the content security policy allows only our
 * own images.
 */
export function picturesRoutes(app: FastifyInstance, services: Services): void {
  const origins = originsOf(services.config);
  const { sandboxDestinations, proxies } = services.config;
  const sharedOutbound = createOutbound([...origins, ...sandboxDestinations], { proxies });
  route(app, services, getPicture, async ({ actor, query, count }) => {
    await count('pictures', actor.accountId, 1);
    const { orgId, accountId } = actor;
    const isMember = orgId !== undefined && (await services.memberships.find(orgId, accountId)) !== undefined;
    const isShared = !isMember || isFrom(query.url, origins);
    const outbound = isShared ? sharedOutbound : services.outboundFor(orgId, 'code-host');
    const { status, headers, bytes } = await outbound.fetch('url', query.url, { headers: { accept } }, limits);
    const type = pictureTypes.find((known) => known === headers.get('content-type')?.split(';')[0]?.trim());
    if (status !== 200 || type === undefined) throw NotFound('Picture');
    return { file: Readable.from([bytes]), type, name: 'picture', total: undefined, keptSeconds };
  });
}

const accept = pictureTypes.join(', ');

const isFrom = (url: string, origins: readonly string[]): boolean =>
  URL.canParse(url) && origins.includes(new URL(url).origin);

/** The code hosts of the environment, which all organizations use. They may be in a private network. */
const originsOf = ({ github, bitbucket }: Config): string[] =>
  [github?.url, bitbucket.url].flatMap((url) => (url === undefined ? [] : [new URL(url).origin]));
