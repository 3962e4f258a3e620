import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { usesSecureCookies } from '#core/cookies.ts';
import { assetRoutes, assetUrl } from '#core/pages/assets.ts';
import { renderNoticePage, renderPage } from '#core/pages/frame.ts';
import { html } from '#core/pages/html.ts';
import { sendPage } from '#core/pages/security.ts';
import type { Services } from '#core/services.ts';
import type { SigningKeys } from '#core/signing-keys.ts';
import { confirmationRoutes } from './confirmation-routes.ts';
import { createCsrf } from './csrf.ts';
import { createDevices } from './devices.ts';
import { directRoutes } from './direct-routes.ts';
import { interactionRoutes } from './interaction-routes.ts';
import { linkRoutes } from './linking/link-routes.ts';
import { linkWithRoute } from './linking/link-with.ts';
import { linkingRoutes } from './linking/routes.ts';
import { mcpConsentRoutes } from './mcp-consent-routes.ts';
import { mountProvider } from './mount.ts';
import { resetRoutes } from './password-reset-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { cookieKeys, createProviders } from './provider.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import type { SignInContext } from './sign-in-context.ts';
import { startSweeper } from './sweeper.ts';
import { addressRoutes } from './upstream/address-routes.ts';
import { callbackRoutes } from './upstream/callback-routes.ts';
import { samlBrowserRoutes } from './upstream/saml-routes.ts';

/** The identity provider below /oidc: our own pages first, the protocol for all other paths. */
export function identityRoutes(app: FastifyInstance, services: Services, keys: SigningKeys): void {
  linkingRoutes(app, services);
  passwordRoutes(app, services);
  app.addHook('onClose', startSweeperHook(services));
  if (services.config.direct) {
    // An external issuer signs people in, so that our own pages must not bypass it.
    assetRoutes(app);
    silentRoute(app, services);
    directRoutes(app, services, keys);
    return;
  }
  const providerOfNow = createProviders(services, keys);
  const { PUBLIC_URL } = services.config;
  const secure = usesSecureCookies(services.config);
  const site: SignInContext = {
    services,
    get provider() {
      return providerOfNow();
    },
    keys,
    csrf: createCsrf(() => cookieKeys(keys), secure),
    devices: createDevices(services.database, () => cookieKeys(keys), secure),
    expiredPage: renderNoticePage('Start again', ['This page expired or was completed in another tab.'], {
      href: '/login',
      label: 'Sign in',
    }),
  };
  app.register(async (pages) => {
    await pages.register(cookie);
    await pages.register(formbody, { bodyLimit: 20_000 });
    samlBrowserRoutes(pages, site);
    assetRoutes(pages);
    interactionRoutes(pages, site);
    secondFactorRoutes(pages, site);
    mcpConsentRoutes(pages, site);
    callbackRoutes(pages, site);
    addressRoutes(pages, site);
    linkRoutes(pages, site);
    confirmationRoutes(pages, site);
    resetRoutes(pages, site);
    linkWithRoute(pages, site);
    silentRoute(pages, services);
    auth0Routes(pages, PUBLIC_URL);
  });
  mountProvider(app, providerOfNow, services);
}

const startSweeperHook = ({ database, log }: Services) => {
  const stop = startSweeper(database, log);
  return async () => stop();
};

/** The target of a silent renewal in a hidden frame of the app. It passes its URL to the app and loads nothing else. */
function silentRoute(app: FastifyInstance, { config }: Services): void {
  const page = renderPage({ title: 'Signing in', body: html``, script: assetUrl('silent.js') });
  app.get('/auth/silent', (_request, reply) => sendPage(config, reply, page, { frames: 'self', script: true }));
}

/** Paths of Auth0 for endpoints with another path here. */
function auth0Routes(app: FastifyInstance, publicUrl: string): void {
  app.get<{ Querystring: { client_id?: string; returnTo?: string } }>('/oidc/v2/logout', (request, reply) => {
    const { client_id = '', returnTo = `${publicUrl}/` } = request.query;
    const query = new URLSearchParams({ client_id, post_logout_redirect_uri: returnTo });
    return reply.redirect(`/oidc/session/end?${query}`, 303);
  });
}
