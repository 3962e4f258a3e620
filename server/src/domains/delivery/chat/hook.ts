import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Invalid } from '#core/errors.ts';
import { parseJson } from '#core/json.ts';
import type { Services } from '#core/services.ts';
import { hmacCheck } from '#core/signatures.ts';
import { signedRoute } from '#core/signed-route.ts';
import { maybeWorkspace } from './queries.ts';
import { recordRejection } from './rejection.ts';
import { workspaceSecret } from './secrets.ts';
import { slackHookPath } from './workspace.ts';

const MAX_BODY_BYTES = 1024 * 1024;
/** A request with an older time may be a repetition by an attacker. */
const MAX_AGE_SECONDS = 300;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Receives events and interactions of Slack. Not an endpoint of the contract: Slack signs the raw bytes with the signing
 * secret of the app that the organization in the path connected. Nothing can be decided here: buttons are links.
 */
export const slackWebhookRoute = (app: FastifyInstance, services: Services): Promise<void> =>
  signedRoute(app, {
    path: slackHookPath(':orgId'),
    contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
    bodyLimit: MAX_BODY_BYTES,
    findSender: (request) => findSender(services, request),
    async handle(request, reply, { orgId, botId, teamId }, body) {
      // An interaction: the press of a button that opens a link.
      if (!String(request.headers['content-type']).startsWith('application/json')) return reply.status(200).send();
      const parsed = bodySchema.safeParse(parseJson(body.toString()));
      if (!parsed.success) throw Invalid('', 'is not an event of Slack');
      const event = parsed.data;
      if (event.type === 'url_verification') return reply.status(200).send({ challenge: event.challenge });
      // Slack turns the events of an app off that does not answer with 200.
      if (event.type === 'app_rate_limited') return reply.status(200).send({ accepted: true });
      const reason = event.team_id === teamId ? reasonOf(event.event, botId) : undefined;
      if (reason !== undefined) {
        const happenedAt = new Date(event.event_time * 1000);
        await services.database.withOrg(orgId, (tx) => recordRejection(services, tx, orgId, { reason, happenedAt }));
      }
      return reply.status(200).send({ accepted: true });
    },
  });

const bodySchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('url_verification'), challenge: z.string().max(200) }),
  z.looseObject({ type: z.literal('app_rate_limited') }),
  z.looseObject({
    type: z.literal('event_callback'),
    team_id: z.string(),
    event_time: z.int().min(0).max(4_000_000_000),
    event: z.looseObject({
      type: z.string(),
      tokens: z.looseObject({ bot: z.array(z.string()).default([]) }).optional(),
    }),
  }),
]);

/** Why the workspace cannot be used any more; undefined for another event. */
function reasonOf({ type, tokens }: { type: string; tokens?: { bot: string[] } | undefined }, botId: string) {
  if (type === 'app_uninstalled')
    return 'The app was removed from the Slack workspace. Install it again, then enter its new token here.';
  if (type === 'tokens_revoked' && tokens?.bot.includes(botId)) {
    return 'The token was revoked in Slack. Reinstall the app in Slack, then enter its new token here.';
  }
  return undefined;
}

async function findSender({ database, secrets }: Services, request: FastifyRequest) {
  const { orgId } = request.params as { orgId?: string };
  if (orgId === undefined || !uuid.test(orgId)) return undefined;
  const time = header(request, 'x-slack-request-timestamp');
  const given = /^v0=([0-9a-f]{64})$/.exec(header(request, 'x-slack-signature'))?.[1];
  if (!/^\d{1,12}$/.test(time) || given === undefined) return undefined;
  if (Math.abs(Date.now() / 1000 - Number(time)) > MAX_AGE_SECONDS) return undefined;
  const workspace = await database.withOrg(orgId, (tx) => maybeWorkspace(tx, orgId));
  if (!workspace) return undefined;
  const secret = secrets.open(workspaceSecret(orgId, 'signing secret'), workspace.signing_secret_sealed);
  const signature = hmacCheck(secret, [Buffer.from(given, 'hex')], `v0:${time}:`);
  return signature && { orgId, signature, botId: workspace.bot_id, teamId: workspace.team_id };
}

const header = (request: FastifyRequest, name: string): string => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
};
