import { createPublicKey, generateKeyPairSync, randomBytes, randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Host, Permissions } from './host.ts';
import { withQuery } from './oauth.ts';
import { html, sendPage } from './page.ts';
import { notFound } from './refusal.ts';

type Manifest = {
  name: string;
  redirect_url: string;
  callback_urls?: string[];
  hook_attributes?: { url?: string };
  default_permissions?: Permissions;
  default_events?: string[];
};
type Form = { manifest?: string; state?: string; name?: string };

const hour = 3_600_000;
// Created apps by the code in the redirect, until they are fetched.
const waiting = new WeakMap<Host, Map<string, { manifest: Manifest; until: number }>>();

/** The page where a user creates an app from a submitted manifest, for an account or an organization. */
export const manifestPages = (server: FastifyInstance, host: Host): void => {
  for (const path of ['/settings/apps/new', '/organizations/:organization/settings/apps/new']) {
    server.post<{ Body: Form; Querystring: { state?: string } }>(path, async (request, reply) => {
      const manifest = manifestOf(request.body.manifest);
      if (!manifest) return sendPage(reply, 'Create GitHub App', html`<p>The manifest is not right.</p>`, 422);
      return sendPage(
        reply,
        'Create GitHub App',
        html`<form method="post" action="/settings/apps/create">
<input type="hidden" name="manifest" value="${request.body.manifest ?? ''}">
<input type="hidden" name="state" value="${request.query.state ?? ''}">
<label class="stacked">GitHub App name<input name="name" value="${manifest.name}" maxlength="34" required></label>
<button>Create GitHub App</button></form>`,
      );
    });
  }
  server.post<{ Body: Form }>('/settings/apps/create', async (request, reply) => {
    const manifest = manifestOf(request.body.manifest);
    if (!manifest) return sendPage(reply, 'Create GitHub App', html`<p>The manifest is not right.</p>`, 422);
    const code = randomBytes(20).toString('hex');
    const made = { manifest: { ...manifest, name: request.body.name ?? manifest.name }, until: Date.now() + hour };
    waiting.set(host, (waiting.get(host) ?? new Map()).set(code, made));
    return reply.redirect(withQuery(manifest.redirect_url, { code, state: request.body.state }), 303);
  });
};

/** Exchanges the code for the app and its secrets, once. It then becomes the app of this host. */
export const manifestRoutes = (server: FastifyInstance, host: Host): void => {
  server.post<{ Params: { code: string } }>('/app-manifests/:code/conversions', async (request, reply) => {
    const { code } = request.params;
    const made = waiting.get(host)?.get(code);
    waiting.get(host)?.delete(code);
    if (!made || made.until < Date.now()) throw notFound();
    const { default_permissions: permissions, default_events: events } = made.manifest;
    const { name, callback_urls: [callbackUrl, ...otherCallbackUrls] = [], hook_attributes: hook } = made.manifest;
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const appId = randomInt(100_000, 1_000_000);
    const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const [clientId, clientSecret] = [`Iv23li${randomBytes(7).toString('hex')}`, randomBytes(20).toString('hex')];
    const webhookSecret = randomBytes(20).toString('hex');
    Object.assign(host.app, { appId, slug, publicKey: createPublicKey(publicKey), clientId, clientSecret });
    Object.assign(host.app, { callbackUrl, otherCallbackUrls, ...(permissions && { permissions }) });
    Object.assign(host.app, events && { events });
    Object.assign(host.webhooks.config, { secret: webhookSecret, ...(hook?.url !== undefined && { url: hook.url }) });
    return reply.code(201).send({
      id: appId,
      slug,
      name,
      client_id: clientId,
      client_secret: clientSecret,
      webhook_secret: webhookSecret,
      pem: privateKey,
      html_url: `${host.url}/github-apps/${slug}`,
    });
  });
};

const manifestOf = (text: string | undefined): Manifest | undefined => {
  try {
    const manifest = JSON.parse(text ?? '') as Manifest;
    return typeof manifest.redirect_url === 'string' && typeof manifest.name === 'string' ? manifest : undefined;
  } catch {
    return undefined;
  }
};
