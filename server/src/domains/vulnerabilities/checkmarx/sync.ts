import { sql } from 'kysely';
import { isArchived } from '#core/archived.ts';
import { Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { previousSecretMinutes } from '#core/signatures.ts';
import type { CheckmarxTenant } from '#providers/checkmarx/checkmarx.ts';
import { CheckmarxLimited, CheckmarxProblem } from '#providers/checkmarx/problems.ts';
import { listImportedBranches, newestBranchScans, recordImportedScan } from './branches.ts';
import { queueCheckmarxSync, type SyncDelay } from './commands.ts';
import { importCheckmarxScan } from './import-scan.ts';
import {
  type CheckmarxProjectRow,
  listSyncProjects,
  markProjectsRemoved,
  matchProjectByScan,
  matchProjects,
  recordLastScan,
  saveProjects,
} from './projects.ts';
import { webhookUrl } from './queries.ts';
import { connectionSecretLocation, parseConnectionSettings } from './row.ts';
import { acquireSyncLock, releaseSyncLock, renewSyncLock, type SyncLock, SyncLockLost } from './sync-lock.ts';

/**
 * Imports the newest scan of each branch of all projects of the tenant, or of one project. Repeated runs import no scan
 * twice. Errors are stored with the connection; the next attempt is scheduled.
 */
export async function syncCheckmarxScans(services: Services, orgId: string, projectId?: string): Promise<void> {
  if (await services.database.withOrg(orgId, (tx) => isArchived(tx, orgId))) return;
  const lock = await acquireSyncLock(services, orgId);
  if (lock === undefined) return;
  if (lock === 'busy') return queueLater(services, orgId, projectId, { until: inSeconds(5), why: 'busy' });
  try {
    const tenant = await openTenant(services, lock);
    await ensureWebhook(services, lock, tenant);
    const failures = await readProjects(services, lock, tenant, projectId);
    await succeed(services, lock, failures);
  } catch (error) {
    if (error instanceof SyncLockLost) return;
    await fail(services, lock, error, projectId);
  }
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

const queueLater = (services: Services, orgId: string, projectId: string | undefined, wait: SyncDelay): Promise<void> =>
  services.database.withOrg(orgId, (tx) => queueCheckmarxSync(services, tx, orgId, { projectId, wait }));

const openTenant = ({ checkmarx, secrets }: Services, { orgId, connection }: SyncLock): Promise<CheckmarxTenant> => {
  const { tenant, typedURL } = parseConnectionSettings(connection);
  const apiKey = secrets.open(connectionSecretLocation(orgId, 'secret'), connection.secret).toString();
  return checkmarx(orgId).open({ tenant, apiKey, baseURL: typedURL ?? undefined });
};

// Registers the webhook. Without the permission to do so, only the hourly sync finds new scans.
async function ensureWebhook(services: Services, lock: SyncLock, tenant: CheckmarxTenant): Promise<void> {
  const { hook, hook_id, hook_secret, previous_hook_secret: previous, previous_hook_until } = lock.connection;
  const isRotated = previous !== null && previous_hook_until === null;
  if (hook_secret === null || (hook_id !== null && !isRotated)) return;
  const secret = services.secrets.open(connectionSecretLocation(lock.orgId, 'hook_secret'), hook_secret).toString();
  try {
    const id = await tenant.registerWebhook({ url: webhookUrl(services.config.PUBLIC_URL, hook), secret });
    const until = new Date(Date.now() + previousSecretMinutes * 60_000);
    await renewSyncLock(services, lock, { hook_id: id, previous_hook_until: until });
    // Checkmarx One cannot change the secret of a webhook, so that a new webhook replaces the previous one.
    if (hook_id !== null) await tenant.deleteWebhook(hook_id);
  } catch (error) {
    if (error instanceof SyncLockLost) throw error;
    services.log.info({ orgId: lock.orgId, err: error }, 'no webhook at Checkmarx One');
  }
}

/** Returns sentences about projects that could not be read; throws errors that concern the entire connection. */
async function readProjects(
  services: Services,
  lock: SyncLock,
  tenant: CheckmarxTenant,
  projectId: string | undefined,
): Promise<string[]> {
  const { database } = services;
  const { orgId } = lock;
  const isKnown = async () =>
    (await database.withOrg(orgId, (tx) => listSyncProjects(tx, orgId, projectId))).length > 0;
  if (projectId === undefined || !(await isKnown())) await refreshProjects(services, lock, tenant);
  const projects = await database.withOrg(orgId, (tx) => listSyncProjects(tx, orgId, projectId));
  await renewSyncLock(services, lock, { sync_total: projects.length });
  const failures: string[] = [];
  for (const [done, project] of projects.entries()) {
    await readProject(services, lock, tenant, project).catch((error: unknown) => {
      const message = projectErrorMessage(error);
      if (message === undefined) throw error;
      services.log.warn({ orgId, project: project.id, err: error }, 'a project could not be read');
      failures.push(`${project.name}: ${message}`);
    });
    await renewSyncLock(services, lock, { sync_done: done + 1 });
  }
  return failures;
}

// Returns the message of an error that concerns only one project; undefined for errors that other projects would have
// too.
function projectErrorMessage(error: unknown): string | undefined {
  if (error instanceof CheckmarxProblem && error.code === 'wrong_host') return error.message;
  if (error instanceof Refusal) return error.message;
  const isGeneral =
    error instanceof CheckmarxProblem || error instanceof CheckmarxLimited || error instanceof SyncLockLost;
  return isGeneral ? undefined : 'its results could not be imported';
}

async function refreshProjects(services: Services, lock: SyncLock, tenant: CheckmarxTenant): Promise<void> {
  const { orgId } = lock;
  const seen: string[] = [];
  for await (const page of tenant.projects()) {
    await services.database.withOrg(orgId, (tx) => saveProjects(tx, orgId, page));
    seen.push(...page.map(({ id }) => id));
    await renewSyncLock(services, lock);
  }
  await services.database.withOrg(orgId, async (tx) => {
    await markProjectsRemoved(tx, orgId, seen);
    await matchProjects(services, tx, orgId);
  });
}

async function readProject(
  services: Services,
  lock: SyncLock,
  tenant: CheckmarxTenant,
  listed: CheckmarxProjectRow,
): Promise<void> {
  const { database } = services;
  const { orgId } = lock;
  const project = listed.matchedBy === null ? await matchByNewestScan(services, lock, tenant, listed) : listed;
  const { repository } = project;
  if (repository === null) return;
  const imported = await database.withOrg(orgId, (tx) => listImportedBranches(tx, orgId, project.id));
  const mainBranch = project.mainBranch ?? repository.defaultBranch;
  for (const branchScan of await newestBranchScans(tenant, { id: project.id, mainBranch }, imported)) {
    await importCheckmarxScan(services, {
      tenant,
      orgId,
      project: { ...project, repository },
      branchScan,
      onPage: async (results) => {
        lock.results += results;
        await renewSyncLock(services, lock);
      },
    });
    await database.withOrg(orgId, async (tx) => {
      await recordImportedScan(tx, orgId, project.id, branchScan);
      await recordLastScan(tx, orgId, project.id, branchScan.scan.createdAt);
    });
  }
}

/** Matches a project by the repository of its newest scan if the fields of the project match none. */
async function matchByNewestScan(
  services: Services,
  { orgId }: SyncLock,
  tenant: CheckmarxTenant,
  project: CheckmarxProjectRow,
): Promise<CheckmarxProjectRow> {
  for await (const scan of tenant.scans({ projectId: project.id, most: 1 })) {
    const [matched] = await services.database.withOrg(orgId, async (tx) => {
      await recordLastScan(tx, orgId, project.id, scan.createdAt);
      if (scan.repoUrl === null) return [];
      const reference = { name: project.name, repoUrl: scan.repoUrl, importedName: null };
      return (await matchProjectByScan(services, tx, orgId, { projectId: project.id, reference }))
        ? listSyncProjects(tx, orgId, project.id)
        : [];
    });
    return matched ?? project;
  }
  return project;
}

const integration = { key: 'checkmarx', name: 'Checkmarx One', category: 'security-scanners' };

async function succeed(services: Services, lock: SyncLock, failures: readonly string[]): Promise<void> {
  const now = sql<Date>`clock_timestamp()`;
  const [first, ...others] = failures;
  const remainder = others.length > 0 ? ` And ${others.length} more.` : '';
  const recovered =
    lock.connection.status === 'error' ? [{ type: 'integration.recovered' as const, ...integration }] : [];
  const change = {
    status: 'active',
    problem: null,
    checked_at: now,
    last_sync_at: now,
    sync_failures: 0,
    ...(first === undefined
      ? { sync_state: 'idle', sync_error: null }
      : { sync_state: 'failed', sync_error: `Incomplete sync. ${first}.${remainder}`.replace('..', '.') }),
  };
  await releaseSyncLock(services, lock, change, ...recovered);
}

// Minutes until the next attempt, by number of consecutive failures. There is also an hourly sync.
const RETRY_MINUTES = [1, 5, 15];

async function fail(services: Services, lock: SyncLock, error: unknown, projectId: string | undefined): Promise<void> {
  const { orgId, connection } = lock;
  if (error instanceof CheckmarxLimited) {
    await releaseSyncLock(services, lock, { sync_state: 'queued' });
    return queueLater(services, orgId, projectId, { until: error.until, why: 'retry' });
  }
  const problem = error instanceof CheckmarxProblem ? error : undefined;
  const message = problem?.message ?? 'An internal error occurred. Sightline tries again.';
  if (!problem) services.log.error({ orgId, err: error }, 'Checkmarx One sync failed');
  const change = {
    sync_state: 'failed',
    sync_error: message,
    sync_failures: connection.sync_failures + 1,
    checked_at: sql<Date>`clock_timestamp()`,
    ...(problem && { status: 'error', problem: JSON.stringify({ code: problem.code, message }) }),
  };
  // Notifies once, until the connection recovers.
  const isNew = problem !== undefined && lock.connection.status !== 'error';
  await releaseSyncLock(
    services,
    lock,
    change,
    ...(isNew ? [{ type: 'integration.failed' as const, ...integration, message }] : []),
  );
  const pause = RETRY_MINUTES[connection.sync_failures];
  if (pause !== undefined) await queueLater(services, orgId, projectId, { until: inSeconds(pause * 60), why: 'retry' });
}
