import { randomUUID } from 'node:crypto';
import type { CheckmarxSettings } from '@sightline/contract/sources/integrations.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { CheckmarxConnection } from '#providers/checkmarx/client.ts';
import { checkConnection, connectionRefusalOf } from './check.ts';
import { queueCheckmarxSync } from './commands.ts';
import { maybeCheckmarxSettings } from './queries.ts';
import {
  type ConnectionRow,
  type ConnectionSettings,
  connectionSecretLocation,
  maybeConnectionRow,
  parseConnectionSettings,
  sealNewWebhookSecret,
} from './row.ts';

/** Connects, or changes the key, tenant or host of a connection. Checks the connection before storing it. */
export async function saveConnection(
  services: Services,
  actor: Actor,
  connection: CheckmarxConnection,
): Promise<CheckmarxSettings> {
  const { tenant: session } = await checkConnection(services, actor.orgId, connection).catch((error: unknown) => {
    throw connectionRefusalOf(error);
  });
  const settings: ConnectionSettings = {
    tenant: connection.tenant,
    baseURL: session.baseURL,
    typedURL: connection.baseURL || null,
    keyEnd: connection.apiKey.slice(-4),
  };
  const { database, config } = services;
  const { former, answer } = await database.withOrg(actor.orgId, async (tx) => {
    const former = await maybeConnectionRow(tx, actor.orgId, true);
    const isElsewhere = !former || !isSameTenant(parseConnectionSettings(former), settings) || former.hook_id === null;
    await save(services, tx, actor, { apiKey: connection.apiKey, settings, isElsewhere });
    const connected = former !== undefined && former.status !== 'inactive';
    await recordAuditEntry(tx, {
      people: services.people,
      orgId: actor.orgId,
      actor,
      entry: {
        action: connected ? 'integration.changed' : 'integration.connected',
        subject: { kind: 'installation', id: 'checkmarx' },
        data: {
          provider: 'checkmarx',
          account: settings.tenant,
          ...(connected && { before: auditFieldsOf(parseConnectionSettings(former)) }),
          after: { connected: true, ...auditFieldsOf(settings) },
        },
      },
    });
    await queueCheckmarxSync(services, tx, actor.orgId);
    return { former: isElsewhere ? former : undefined, answer: await findSettings(tx, actor.orgId, config.PUBLIC_URL) };
  });
  if (former) await deleteWebhook(services, actor.orgId, former);
  return answer;
}

const isSameTenant = (one: ConnectionSettings, other: ConnectionSettings) =>
  one.tenant.toLowerCase() === other.tenant.toLowerCase() && one.baseURL === other.baseURL;

const auditFieldsOf = ({ tenant, baseURL, keyEnd }: ConnectionSettings) => ({ tenant, baseURL, keyEnd });

async function save(
  { secrets }: Services,
  tx: Tx,
  { orgId, accountId }: Actor,
  { apiKey, settings, isElsewhere }: { apiKey: string; settings: ConnectionSettings; isElsewhere: boolean },
): Promise<void> {
  const current = {
    status: 'active',
    settings: JSON.stringify(settings),
    secret: secrets.seal(connectionSecretLocation(orgId, 'secret'), Buffer.from(apiKey)),
    problem: null,
    checked_at: sql<Date>`now()`,
    sync_error: null,
    sync_failures: 0,
    ...(isElsewhere && {
      hook_secret: sealNewWebhookSecret(secrets, orgId),
      hook_id: null,
      previous_hook_secret: null,
      previous_hook_until: null,
    }),
  };
  await tx.db
    .insertInto('integration')
    .values({ org_id: orgId, name: 'checkmarx', hook: randomUUID(), created_by: accountId, ...current })
    .onConflict((conflict) => conflict.columns(['org_id', 'name']).doUpdateSet(current))
    .execute();
}

async function findSettings(tx: Tx, orgId: string, publicURL: string): Promise<CheckmarxSettings> {
  const settings = await maybeCheckmarxSettings(tx, orgId, publicURL);
  if (!settings) throw notConnected();
  return settings;
}

const notConnected = () => Conflict('Checkmarx One is not connected. Connect it first.');

/** Queues a sync of the newest scans. */
export const requestCheckmarxSync = (services: Services, actor: Actor): Promise<CheckmarxSettings> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const row = await maybeConnectionRow(tx, actor.orgId, true);
    if (!row || row.status === 'inactive') throw notConnected();
    await queueCheckmarxSync(services, tx, actor.orgId);
    await recordAuditEntry(tx, {
      people: services.people,
      orgId: actor.orgId,
      actor,
      entry: {
        action: 'integration.sync_requested',
        subject: { kind: 'installation', id: 'checkmarx' },
        data: { provider: 'checkmarx', account: parseConnectionSettings(row).tenant },
      },
    });
    return findSettings(tx, actor.orgId, services.config.PUBLIC_URL);
  });

/** Deletes the key. Findings, projects and their links to repositories remain. */
export async function deleteConnection(services: Services, actor: Actor): Promise<null> {
  const former = await services.database.withOrg(actor.orgId, async (tx) => {
    const row = await maybeConnectionRow(tx, actor.orgId, true);
    if (!row || row.status === 'inactive') return undefined;
    await tx.db
      .updateTable('integration')
      .set({
        status: 'inactive',
        secret: null,
        hook_secret: null,
        hook_id: null,
        problem: null,
        previous_hook_secret: null,
        previous_hook_until: null,
        sync_state: 'idle',
        sync_run: null,
        sync_error: null,
        sync_failures: 0,
      })
      .where('org_id', '=', actor.orgId)
      .where('name', '=', 'checkmarx')
      .execute();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId: actor.orgId,
      actor,
      entry: {
        action: 'integration.disconnected',
        subject: { kind: 'installation', id: 'checkmarx' },
        data: {
          provider: 'checkmarx',
          account: parseConnectionSettings(row).tenant,
          before: { connected: true },
          after: { connected: false },
        },
      },
    });
    tx.afterCommit(() =>
      services.realtime.notifyOrganization(actor.orgId, 'orgIntegrations', { provider: 'checkmarx' }),
    );
    return row;
  });
  if (former) await deleteWebhook(services, actor.orgId, former);
  return null;
}

// Deletes the webhook at Checkmarx One. If that fails, its deliveries are rejected here.
async function deleteWebhook({ checkmarx, secrets, log }: Services, orgId: string, row: ConnectionRow): Promise<void> {
  if (row.hook_id === null || row.secret === null) return;
  const { tenant, typedURL } = parseConnectionSettings(row);
  const apiKey = secrets.open(connectionSecretLocation(orgId, 'secret'), row.secret).toString();
  try {
    const session = await checkmarx(orgId).open({ tenant, apiKey, baseURL: typedURL ?? undefined }, true);
    await session.deleteWebhook(row.hook_id);
  } catch (error) {
    log.warn({ orgId, err: error }, 'the webhook at Checkmarx One could not be deleted');
  }
}
