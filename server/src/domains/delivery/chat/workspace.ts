import type {
  ChatServiceName,
  connectSlack,
  listSlackChannels,
  SlackSetup,
} from '@sightline/contract/delivery/chat.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { type AuditActor, recordAuditEntry } from '#core/audit.ts';
import { Conflict, Invalid, UpstreamFailed } from '#core/errors.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { ChatFailure } from '#providers/chat/chat.ts';
import { slackManifestOf } from '#providers/chat/slack/manifest.ts';
import { createSlackWorkspace } from '#providers/chat/slack/workspace.ts';
import { raiseNotifications } from '../notifications/commands.ts';
import { queueSending } from './commands.ts';
import { maybeWorkspace } from './queries.ts';
import { slackConnection } from './rejection.ts';
import { workspaceSecret } from './secrets.ts';
import { announceChat } from './target-type.ts';

export const slackHookPath = (orgId: string): string => `/api/webhooks/slack/${orgId}`;

/** The connection and what an owner needs for it. */
export async function findSlackSetup({ config, chat }: Services, tx: Tx, orgId: string): Promise<SlackSetup> {
  const row = await maybeWorkspace(tx, orgId);
  return {
    workspace: row
      ? {
          team: row.team,
          bot: row.bot,
          tokenEnd: row.token_end,
          status: row.problem === null ? 'active' : 'error',
          problem: row.problem,
          connectedAt: row.connected_at.toISOString(),
        }
      : null,
    manifest: slackManifestOf(`${config.PUBLIC_URL}${slackHookPath(orgId)}`),
    permissions: [...chat.slack.permissions],
    sandboxPage: config.slack.sandboxPage ?? null,
  };
}

/** An Account Owner, or the operator at the command line. */
export type ChatAdministrator = Actor | { orgId: string; operator: string; requestId: string };

const isMember = (administrator: ChatAdministrator): administrator is Actor => 'accountId' in administrator;

/** Throws 403 for a member who is no Account Owner. */
async function requireAdministrator(tx: Tx, administrator: ChatAdministrator): Promise<AuditActor> {
  if (isMember(administrator)) {
    await requireOwner(tx, administrator);
    return administrator;
  }
  const { operator, requestId } = administrator;
  return { operator, requestId };
}

/**
 * Connects a workspace, or replaces its token, after testing it. Waiting messages are sent. Throws 409 for another
 * workspace than the connected one, whose channels would not exist there.
 */
export async function saveWorkspace(
  services: Services,
  administrator: ChatAdministrator,
  { token, signingSecret }: z.output<typeof connectSlack.body>,
): Promise<SlackSetup> {
  const { database, secrets, people, config, outboundFor } = services;
  const { orgId } = administrator;
  if (!/^xoxb-[\w-]{10,}$/.test(token)) throw Invalid('token', 'must be a bot token, which begins with xoxb-');
  if (!/^[\x21-\x7e]{8,200}$/.test(signingSecret))
    throw Invalid('signingSecret', 'must be the signing secret of the app');
  const identity = await createSlackWorkspace(outboundFor(orgId, 'chat'), config.slack.apiURL, token).identify();
  if ('failure' in identity) throw refusalOf(identity.failure, 'token');
  return database.withOrg(orgId, async (tx) => {
    const actor = await requireAdministrator(tx, administrator);
    const former = await maybeWorkspace(tx, orgId);
    if (former && former.team_id !== identity.teamId) {
      throw Conflict(`This token belongs to another workspace, ${identity.team}. Disconnect ${former.team} first.`);
    }
    const row = {
      team_id: identity.teamId,
      team: identity.team,
      bot_id: identity.botId,
      bot: identity.bot,
      token_sealed: secrets.seal(workspaceSecret(orgId, 'token'), Buffer.from(token)),
      token_end: token.slice(-4),
      signing_secret_sealed: secrets.seal(workspaceSecret(orgId, 'signing secret'), Buffer.from(signingSecret)),
      problem: null,
      connected_by: isMember(administrator) ? administrator.accountId : null,
      connected_at: new Date(),
    };
    await tx.db
      .insertInto('chat_workspace')
      .values({ org_id: orgId, service: 'slack', ...row })
      .onConflict((conflict) => conflict.columns(['org_id', 'service']).doUpdateSet(row))
      .execute();
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor,
      entry: {
        action: former ? 'integration.changed' : 'integration.connected',
        subject: { kind: 'installation', id: 'slack' },
        data: { provider: 'slack', account: identity.team, after: { connected: true } },
      },
    });
    await resumeAll(services, tx, orgId);
    if (former && former.problem !== null) {
      await raiseNotifications(services, tx, orgId, {
        actor,
        notifications: [
          { type: 'integration.recovered', ...slackConnection, next: 'Delayed messages are being sent.' },
        ],
      });
    }
    tx.afterCommit(() => announceChat(services, orgId));
    return findSlackSetup(services, tx, orgId);
  });
}

/** Sends what waited for a token, without the delays of earlier failures. */
async function resumeAll({ jobs }: Services, tx: Tx, orgId: string): Promise<void> {
  const targets = await tx.db
    .updateTable('chat_target')
    .set({ resumes_at: new Date(), limited: false, problem: null, failures: 0, failing_since: null })
    .where('org_id', '=', orgId)
    .where('service', '=', 'slack')
    .where('enabled', '=', true)
    .returning('id')
    .execute();
  for (const { id } of targets) await queueSending(jobs, tx, { orgId, targetId: id });
}

/** Deletes what an organization stored for a service: tokens, channels, links of people, and undelivered messages. */
export function deleteService(
  services: Services,
  administrator: ChatAdministrator,
  service: ChatServiceName,
): Promise<null> {
  const { orgId } = administrator;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireAdministrator(tx, administrator);
    const workspace = await tx.db
      .deleteFrom('chat_workspace')
      .where('org_id', '=', orgId)
      .where('service', '=', service)
      .returning('team')
      .executeTakeFirst();
    const targets = await tx.db
      .deleteFrom('chat_target')
      .where('org_id', '=', orgId)
      .where('service', '=', service)
      .returning('account_id')
      .execute();
    if (!workspace && targets.length === 0) return null;
    const channels = targets.filter(({ account_id: person }) => person === null).length;
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'integration.disconnected',
        subject: { kind: 'installation', id: service },
        data: {
          provider: service,
          ...(workspace && { account: workspace.team }),
          before: { connected: true, channels, people: targets.length - channels },
          after: { connected: false },
        },
      },
    });
    tx.afterCommit(() => announceChat(services, orgId));
    return null;
  });
}

/** The client of the connected workspace. Throws 409 without one. */
export async function openWorkspace(services: Services, orgId: string) {
  const { database, secrets, config, outboundFor } = services;
  const row = await database.withOrg(orgId, (tx) => maybeWorkspace(tx, orgId));
  if (!row) throw Conflict('Slack is not connected. Connect it first.');
  const token = secrets.open(workspaceSecret(orgId, 'token'), row.token_sealed).toString();
  return createSlackWorkspace(outboundFor(orgId, 'chat'), config.slack.apiURL, token);
}

const MAX_LISTED_CHANNELS = 50;

/** Channels of the workspace whose names contain the search. */
export async function searchChannels(
  services: Services,
  orgId: string,
  { search }: z.output<typeof listSlackChannels.query>,
): Promise<z.output<typeof listSlackChannels.response>> {
  const workspace = await openWorkspace(services, orgId);
  const word = search.replace(/^#/, '').toLowerCase();
  const matches = ({ name }: { name: string }) => name.toLowerCase().includes(word);
  const found = await workspace.listChannels((all) => all.filter(matches).length > MAX_LISTED_CHANNELS);
  if ('failure' in found) throw refusalOf(found.failure);
  const matching = found.channels.filter(matches).toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  return {
    channels: matching.slice(0, MAX_LISTED_CHANNELS),
    more: found.more || matching.length > MAX_LISTED_CHANNELS,
  };
}

/** A refusal for a failed request. `field`: the input that a rejected token was entered in. */
export const refusalOf = ({ of, message }: ChatFailure, field?: string) =>
  of === 'workspace' && field !== undefined
    ? Invalid(field, `is not accepted: ${message.replace(/\.\s.*$/, '')}`)
    : UpstreamFailed('Slack did not accept the request.', message);
