import {
  authorizeExtension,
  disconnectExtension,
  getExtensionSettings,
  listExtensions,
  redeemExtensionCode,
  renewExtensionToken,
  revokeExtensionToken,
} from '@sightline/contract/identity/extensions.ts';
import { developerSites } from '@sightline/contract/tools/sites.ts';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#config.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import type { SigningKeys } from '#core/signing-keys.ts';
import { createAccessTokenSigner } from './access-token.ts';
import { signOutExtension } from './commands.ts';
import { listExtensionsOf } from './queries.ts';
import { createAuthorizationCode, redeemAuthorizationCode, renewAccessToken, revokeRefreshToken } from './sign-in.ts';

export function extensionRoutes(app: FastifyInstance, services: Services, keys: SigningKeys): void {
  const sign = createAccessTokenSigner(keys, services.config.PUBLIC_URL);
  route(app, services, authorizeExtension, ({ actor, body }) => createAuthorizationCode(services, actor, body));
  route(app, services, redeemExtensionCode, ({ caller, body }) =>
    redeemAuthorizationCode(services, sign, caller, body),
  );
  route(app, services, renewExtensionToken, ({ caller, body }) => renewAccessToken(services, sign, caller, body));
  route(app, services, revokeExtensionToken, ({ caller, body }) =>
    revokeRefreshToken(services, caller, body.refreshToken),
  );
  route(app, services, listExtensions, ({ actor }) =>
    services.database.global((tx) => listExtensionsOf(tx, actor.accountId)),
  );
  route(app, services, disconnectExtension, ({ actor, params }) =>
    signOutExtension(services, actor, params.extensionId),
  );
  route(app, services, getExtensionSettings, async () => ({ sites: sitesOf(services.config) }));
}

/** The sites of developers, and the code host of the organization if it is a different one. */
const sitesOf = ({ github }: Config): string[] => [
  ...new Set([
    ...developerSites.map(({ host }) => host),
    ...(github && !github.sandbox ? [new URL(github.url).hostname] : []),
  ]),
];
