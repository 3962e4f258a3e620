import { hash } from 'node:crypto';
import type { Provider } from '@sightline/contract/core/providers.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Invalid, NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { acceptedSecrets, anySignature, type SignatureCheck, unsignedBody } from '#core/signatures.ts';
import { signedRoute } from '#core/signed-route.ts';
import type { HostWebhooks } from '#providers/host-events.ts';
import { requireSignatures } from '../host-hooks/commands.ts';
import { type HookSecrets, maybeHookSecrets } from '../host-hooks/queries.ts';
import { createWebhookReceiver } from './commands.ts';
import { deliverySubjects } from './payload.ts';
import { isRepositoryEvent } from './queue.ts';
import { redactSecrets } from './redaction.ts';

// The limit of GitHub.
const MAX_BODY_BYTES = 25 * 1024 * 1024;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Registers the webhook URLs of code hosts. Not endpoints of the contract: the host signs the raw body, and the
 * signature is verified before the body is parsed.
 */
export async function webhookRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const receiver = createWebhookReceiver(services);
  app.addHook('onClose', () => receiver.flush());

  await signedRoute(app, {
    path: '/api/webhooks/:provider',
    contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
    bodyLimit: MAX_BODY_BYTES,
    findSender: (request) => findSender(services, request),
    async handle(request, reply, { provider, host, hookId, orgId: orgOfHook, isFirstSigned }, body) {
      const { deliveryId, event } = host.name(body, headerOf(request));
      const text = body.toString();
      const subjects = deliverySubjects(text);
      // A form may contain a NUL outside its payload, which PostgreSQL cannot store.
      if (!subjects || text.includes('\0')) throw Invalid('', 'is not a JSON object');
      const orgId = orgOfHook ?? (await receiver.orgOf(subjects.installation));
      if (isFirstSigned && hookId !== null && orgId !== undefined) await requireSignatures(services, orgId, hookId);
      const sha256 = host.hasDistinctBodies ? hash('sha256', body, 'buffer') : null;
      const repositoryId = isRepositoryEvent(provider, event) ? (subjects.repository ?? null) : null;
      const redacted = redactSecrets(event, text);
      const stored = redacted === text ? body : redacted;
      const entry = { provider, hookId, deliveryId, event, sha256, repositoryId, body: stored };
      const added = await receiver.receive(orgId, entry);
      return reply.status(202).send({ accepted: true, duplicate: !added });
    },
  });
}

interface Sender {
  provider: Provider;
  host: HostWebhooks;
  signature: SignatureCheck;
  /** Our webhook that received it; null for the webhook of an app. */
  hookId: string | null;
  orgId: string | undefined;
  /** Whether this is the first signed delivery of the webhook. */
  isFirstSigned: boolean;
}

/** Determines the possible sender of a delivery from its URL and headers. Throws 404 for an unsupported host. */
async function findSender(services: Services, request: FastifyRequest): Promise<Sender | undefined> {
  const { provider } = request.params as { provider: string };
  const host = services.codeHostModules.get(provider as Provider)?.webhooks;
  if (!host) throw NotFound();
  const { hook } = request.query as { hook?: unknown };
  const hookId = provider !== 'github' && typeof hook === 'string' && uuid.test(hook) ? hook.toLowerCase() : null;
  const signer: (Partial<HookSecrets> & { secrets: string[] }) | undefined =
    hookId === null ? await maybeApp(services, provider) : await maybeHookSecrets(services, provider, hookId);
  if (provider === 'github' && !signer) throw NotFound();
  if (!signer) return undefined;
  const { mustSign = true, orgId } = signer;
  const header = headerOf(request);
  const signature = anySignature(signer.secrets.map((secret) => host.signatureOf(secret, header, { mustSign })));
  if (!signature) return undefined;
  return {
    provider: provider as Provider,
    host,
    signature,
    hookId,
    orgId,
    isFirstSigned: !mustSign && signature !== unsignedBody,
  };
}

// All webhooks of an app are signed with the same secret.
async function maybeApp({ githubApps }: Services, provider: string): Promise<{ secrets: string[] } | undefined> {
  const app = provider === 'github' ? await githubApps.find() : undefined;
  if (!app) return undefined;
  const { webhookSecret, previousWebhookSecret: previous = null, previousUntil = null } = app.config;
  return { secrets: acceptedSecrets(webhookSecret, previous, previousUntil) };
}

const headerOf =
  ({ headers }: FastifyRequest) =>
  (name: string): string => {
    const value = headers[name];
    return typeof value === 'string' ? value : '';
  };
