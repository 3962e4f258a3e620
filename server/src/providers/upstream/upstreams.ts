import type { UpstreamConfig } from '../../config-logins.ts';
import { createGithubLogin } from './github.ts';
import { createOidcLogin } from './oidc.ts';
import type { IdentityProvider } from './upstream.ts';

/** The external identity providers by connection, in the order of their buttons. */
export type Upstreams = ReadonlyMap<string, IdentityProvider>;

export const createUpstreams = (configs: readonly UpstreamConfig[]): Upstreams =>
  new Map(
    configs.map((config) => [
      config.connection,
      config.kind === 'github' ? createGithubLogin(config) : createOidcLogin(config),
    ]),
  );
