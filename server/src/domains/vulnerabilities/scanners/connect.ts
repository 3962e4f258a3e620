import { randomUUID } from 'node:crypto';
import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import type { ScannerSettings } from '@sightline/contract/sources/integrations.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { ScannerConnection } from '#providers/scanner-connector.ts';
import { checkConnection, connectionRefusalOf } from './check.ts';
import { queueScannerSync } from './commands.ts';
import {
  accountOf,
  type ConnectionRow,
  type ConnectionSettings,
  connectionSecretLocation,
  maybeConnectionRow,
  parseConnectionSettings,
  type ScannerOf,
  sealNewWebhookSecret,
} from './connection-row.ts';
import { maybeScannerSettings } from './queries.ts';

/** An owner, or an operator at the command line. */
export type ConnectingActor = Actor | { orgId: string; operator: string; requestId: string };

/** Connects, or changes the key, tenant or host of a connection. Checks the connection before storing it. */
export async function saveConnection(
  services: Services,
  actor: ConnectingActor,
  scanner: ScannerName,
  connection: ScannerConnection,
): Promise<ScannerSettings> {
  const of = { orgId: actor.orgId, scanner };
  const { session } = await checkConnection(services, of, connection).catch((error: unknown) => {
    throw connectionRefusalOf(error);
  });
  const settings: ConnectionSettings = {
    tenant: connection.tenant,
    baseURL: session.baseURL,
    typedURL: connection.baseURL || null,
    keyEnd: connection.apiKey.slice(-4),
  };
  const { former, answer } = await services.database.withOrg(actor.orgId, async (tx) => {
    const former = await maybeConnectionRow(tx, actor.orgId, scanner, true);
    const isElsewhere = !former || !isSameTenant(parseConnectionSettings(former), settings) || former.hook_id === null;
    await save(services, tx, actor, { scanner, apiKey: connection.apiKey, settings, isElsewhere });
    const connected = former !== undefined && former.status !== 'inactive';
    await recordAuditEntry(tx, {
      people: services.people,
      orgId: actor.orgId,
      actor,
      entry: {
        action: connected ? 'integration.changed' : 'integration.connected',
        subject: { kind: 'installation', id: scanner },
        data: {
          provider: scanner,
          account: accountOf(settings),
          ...(connected && { before: auditFieldsOf(parseConnectionSettings(former)) }),
          after: { connected: true, ...auditFieldsOf(settings) },
        },
      },
    });
    await queueScannerSync(services, tx, of);
    return { former: isElsewhere ? former : undefined, answer: await findSettings(services, tx, of) };
  });
  if (former) await deleteWebhook(services, of, former);
  return answer;
}

const isSameTenant = (one: ConnectionSettings, other: ConnectionSettings) =>
  one.tenant.toLowerCase() === other.tenant.toLowerCase() && one.baseURL === other.baseURL;

const auditFieldsOf = ({ tenant, baseURL, keyEnd }: ConnectionSettings) => ({ tenant, baseURL, keyEnd });

async function save(
  { secrets }: Services,
  tx: Tx,
  actor: ConnectingActor,
  {
    scanner,
    apiKey,
    settings,
    isElsewhere,
  }: { scanner: ScannerName; apiKey: string; settings: ConnectionSettings; isElsewhere: boolean },
): Promise<void> {
  const { orgId } = actor;
  const current = {
    status: 'active',
    settings: JSON.stringify(settings),
    secret: secrets.seal(connectionSecretLocation(orgId, scanner, 'secret'), Buffer.from(apiKey)),
    problem: null,
    checked_at: sql<Date>`now()`,
    sync_error: null,
    sync_failures: 0,
    ...(isElsewhere && {
      hook_secret: sealNewWebhookSecret(secrets, orgId, scanner),
      hook_id: null,
      previous_hook_secret: null,
      previous_hook_until: null,
    }),
  };
  await tx.db
    .insertInto('integration')
    .values({
      org_id: orgId,
      name: scanner,
      hook: randomUUID(),
      created_by: 'accountId' in actor ? actor.accountId : null,
      ...current,
    })
    .onConflict((conflict) => conflict.columns(['org_id', 'name']).doUpdateSet(current))
    .execute();
}

async function findSettings(services: Services, tx: Tx, of: ScannerOf): Promise<ScannerSettings> {
  const settings = await maybeScannerSettings(services, tx, of);
  if (!settings) throw notConnected(of.scanner);
  return settings;
}

const notConnected = (scanner: ScannerName) =>
  Conflict(`${scannerForms[scanner].title} is not connected. Connect it first.`);

/** Queues a sync of the newest scans. */
export const requestScannerSync = (
  services: Services,
  actor: ConnectingActor,
  scanner: ScannerName,
): Promise<ScannerSettings> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const row = await maybeConnectionRow(tx, actor.orgId, scanner, true);
    if (!row || row.status === 'inactive') throw notConnected(scanner);
    await queueScannerSync(services, tx, { orgId: actor.orgId, scanner });
    await recordAuditEntry(tx, {
      people: services.people,
      orgId: actor.orgId,
      actor,
      entry: {
        action: 'integration.sync_requested',
        subject: { kind: 'installation', id: scanner },
        data: { provider: scanner, account: accountOf(parseConnectionSettings(row)) },
      },
    });
    return findSettings(services, tx, { orgId: actor.orgId, scanner });
  });

/** Deletes the key. Findings, projects and their links to repositories remain. */
export async function deleteConnection(
  services: Services,
  actor: ConnectingActor,
  scanner: ScannerName,
): Promise<null> {
  const former = await services.database.withOrg(actor.orgId, async (tx) => {
    const row = await maybeConnectionRow(tx, actor.orgId, scanner, true);
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
      .where('name', '=', scanner)
      .execute();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId: actor.orgId,
      actor,
      entry: {
        action: 'integration.disconnected',
        subject: { kind: 'installation', id: scanner },
        data: {
          provider: scanner,
          account: accountOf(parseConnectionSettings(row)),
          before: { connected: true },
          after: { connected: false },
        },
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(actor.orgId, 'orgIntegrations', { provider: scanner }));
    return row;
  });
  if (former) await deleteWebhook(services, { orgId: actor.orgId, scanner }, former);
  return null;
}

// Deletes the webhook at the scanner. If that fails, its deliveries are rejected here.
async function deleteWebhook(
  { scanners, secrets, log }: Services,
  { orgId, scanner }: ScannerOf,
  row: ConnectionRow,
): Promise<void> {
  if (row.hook_id === null || row.secret === null) return;
  const { tenant, typedURL } = parseConnectionSettings(row);
  const apiKey = secrets.open(connectionSecretLocation(orgId, scanner, 'secret'), row.secret).toString();
  const connection = { tenant, apiKey, baseURL: typedURL ?? undefined };
  try {
    const session = await scanners.connector(orgId, scanner).open(connection, true);
    await session.webhooks?.delete(row.hook_id);
  } catch (error) {
    log.warn({ orgId, scanner, err: error }, 'the webhook at the scanner could not be deleted');
  }
}
