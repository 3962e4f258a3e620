import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import { sql } from 'kysely';
import { isArchived } from '#core/archived.ts';
import { Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { previousSecretMinutes } from '#core/signatures.ts';
import { type ProjectScan, ScannerLimited, ScannerProblem, type ScannerSession } from '#providers/scanner-connector.ts';
import { listImportedBranches, newestBranchScans, recordImportedScan } from './branches.ts';
import { queueScannerSync, type SyncDelay } from './commands.ts';
import { connectionSecretLocation, parseConnectionSettings, type ScannerOf } from './connection-row.ts';
import { importProjectScan } from './import-scan.ts';
import {
  listSyncProjects,
  markProjectsRemoved,
  matchProjectByScan,
  matchProjects,
  recordLastScan,
  type ScannerProjectRow,
  saveProjects,
} from './projects.ts';
import { webhookUrl } from './queries.ts';
import { normalizeRepositoryUrl } from './repository-matcher.ts';
import { acquireSyncLock, releaseSyncLock, renewSyncLock, type SyncLock, SyncLockLost } from './sync-lock.ts';

/**
 * Imports the newest scan of each branch of all projects of a scanner, or of one project. Repeated runs import no scan
 * twice. Errors are stored with the connection; the next attempt is scheduled.
 */
export async function syncScannerScans(services: Services, of: ScannerOf, projectId?: string): Promise<void> {
  const { orgId } = of;
  if (await services.database.withOrg(orgId, (tx) => isArchived(tx, orgId))) return;
  const lock = await acquireSyncLock(services, of);
  if (lock === undefined) return;
  if (lock === 'busy') return queueLater(services, of, projectId, { until: inSeconds(5), why: 'busy' });
  try {
    const session = await openSession(services, lock);
    await ensureWebhook(services, lock, session);
    const failures = await readProjects(services, lock, session, projectId);
    await succeed(services, lock, failures);
  } catch (error) {
    if (error instanceof SyncLockLost) return;
    await fail(services, lock, error, projectId);
  }
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

const queueLater = (
  services: Services,
  { orgId, scanner }: ScannerOf,
  projectId: string | undefined,
  wait: SyncDelay,
): Promise<void> =>
  services.database.withOrg(orgId, (tx) => queueScannerSync(services, tx, { orgId, scanner }, { projectId, wait }));

const openSession = (
  { scanners, secrets }: Services,
  { orgId, scanner, connection }: SyncLock,
): Promise<ScannerSession> => {
  const { tenant, typedURL } = parseConnectionSettings(connection);
  const apiKey = secrets.open(connectionSecretLocation(orgId, scanner, 'secret'), connection.secret).toString();
  return scanners.connector(orgId, scanner).open({ tenant, apiKey, baseURL: typedURL ?? undefined });
};

// Registers the webhook. Without the permission to do so, only the hourly sync finds new scans.
async function ensureWebhook(services: Services, lock: SyncLock, { webhooks }: ScannerSession): Promise<void> {
  if (webhooks === undefined) return;
  const { orgId, scanner } = lock;
  const { hook, hook_id, hook_secret, previous_hook_secret: previous, previous_hook_until } = lock.connection;
  const isRotated = previous !== null && previous_hook_until === null;
  if (hook_secret === null || (hook_id !== null && !isRotated)) return;
  const secret = services.secrets.open(connectionSecretLocation(orgId, scanner, 'hook_secret'), hook_secret).toString();
  try {
    const id = await webhooks.register({ url: webhookUrl(services.config.PUBLIC_URL, scanner, hook), secret });
    const until = new Date(Date.now() + previousSecretMinutes * 60_000);
    await renewSyncLock(services, lock, { hook_id: id, previous_hook_until: until });
    // Checkmarx One cannot change the secret of a webhook, so that a new webhook replaces the previous one.
    if (hook_id !== null) await webhooks.delete(hook_id);
  } catch (error) {
    if (error instanceof SyncLockLost) throw error;
    services.log.info({ orgId, scanner, err: error }, 'no webhook at the scanner');
  }
}

/** Returns sentences about projects that could not be read; throws errors that concern the entire connection. */
async function readProjects(
  services: Services,
  lock: SyncLock,
  session: ScannerSession,
  projectId: string | undefined,
): Promise<string[]> {
  const { database } = services;
  const { orgId } = lock;
  const isKnown = async () => (await database.withOrg(orgId, (tx) => listSyncProjects(tx, lock, projectId))).length > 0;
  if (projectId === undefined || !(await isKnown())) await refreshProjects(services, lock, session);
  const projects = await database.withOrg(orgId, (tx) => listSyncProjects(tx, lock, projectId));
  await renewSyncLock(services, lock, { sync_total: projects.length });
  const failures: string[] = [];
  for (const [done, project] of projects.entries()) {
    await readProject(services, lock, session, project).catch((error: unknown) => {
      const message = projectErrorMessage(error);
      if (message === undefined) throw error;
      services.log.warn(
        { orgId, scanner: lock.scanner, project: project.id, err: error },
        'a project could not be read',
      );
      failures.push(`${project.name}: ${message}`);
    });
    await renewSyncLock(services, lock, { sync_done: done + 1 });
  }
  return failures;
}

// Returns the message of an error that concerns only one project; undefined for errors that other projects would have
// too.
function projectErrorMessage(error: unknown): string | undefined {
  if (error instanceof ScannerProblem && error.code === 'wrong_host') return error.message;
  if (error instanceof Refusal) return error.message;
  const isGeneral = error instanceof ScannerProblem || error instanceof ScannerLimited || error instanceof SyncLockLost;
  return isGeneral ? undefined : 'its results could not be imported';
}

async function refreshProjects(services: Services, lock: SyncLock, session: ScannerSession): Promise<void> {
  const { orgId } = lock;
  const seen: string[] = [];
  for await (const page of session.projects()) {
    await services.database.withOrg(orgId, (tx) => saveProjects(tx, lock, page));
    seen.push(...page.map(({ id }) => id));
    await renewSyncLock(services, lock);
  }
  await services.database.withOrg(orgId, async (tx) => {
    await markProjectsRemoved(tx, lock, seen);
    await matchProjects(services, tx, lock);
  });
}

async function readProject(
  services: Services,
  lock: SyncLock,
  session: ScannerSession,
  listed: ScannerProjectRow,
): Promise<void> {
  const { database } = services;
  const { orgId } = lock;
  const project = listed.matchedBy === null ? await matchByDetails(services, lock, session, listed) : listed;
  const { repository } = project;
  if (repository === null) return;
  const imported = await database.withOrg(orgId, (tx) => listImportedBranches(tx, lock, project.id));
  const mainBranch = project.mainBranch ?? repository.defaultBranch;
  for (const branchScan of await newestBranchScans(session, { id: project.id, mainBranch }, imported)) {
    await importProjectScan(services, {
      session,
      of: { orgId, scanner: lock.scanner },
      project: { ...project, repository },
      branchScan,
      onPage: async (results) => {
        lock.results += results;
        await renewSyncLock(services, lock);
      },
    });
    await database.withOrg(orgId, async (tx) => {
      await recordImportedScan(tx, lock, project.id, branchScan);
      await recordLastScan(tx, lock, project.id, branchScan.scan.createdAt);
    });
  }
}

/** Matches a project by what the scanner tells only for one project, if the fields in the list match none. */
async function matchByDetails(
  services: Services,
  lock: SyncLock,
  session: ScannerSession,
  project: ScannerProjectRow,
): Promise<ScannerProjectRow> {
  const newest = session.repositoryOf ? undefined : await newestScanOf(session, project.id);
  const repository = session.repositoryOf ? await session.repositoryOf(project.id) : (newest?.repoUrl ?? null);
  const [matched] = await services.database.withOrg(lock.orgId, async (tx) => {
    if (newest) await recordLastScan(tx, lock, project.id, newest.createdAt);
    if (repository === null) return [];
    const isUrl = normalizeRepositoryUrl(repository) !== undefined;
    const reference = { name: project.name, repoUrl: isUrl ? repository : null, importedName: repository };
    return (await matchProjectByScan(services, tx, lock, { projectId: project.id, reference }))
      ? listSyncProjects(tx, lock, project.id)
      : [];
  });
  return matched ?? project;
}

async function newestScanOf(session: ScannerSession, projectId: string): Promise<ProjectScan | undefined> {
  for await (const scan of session.scans({ projectId, most: 1 })) return scan;
  return undefined;
}

const integrationOf = ({ scanner }: ScannerOf) => ({
  key: scanner,
  name: scannerForms[scanner].title,
  category: 'security-scanners',
});

async function succeed(services: Services, lock: SyncLock, failures: readonly string[]): Promise<void> {
  const now = sql<Date>`clock_timestamp()`;
  const [first, ...others] = failures;
  const remainder = others.length > 0 ? ` And ${others.length} more.` : '';
  const recovered =
    lock.connection.status === 'error' ? [{ type: 'integration.recovered' as const, ...integrationOf(lock) }] : [];
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
  const { orgId, scanner, connection } = lock;
  if (error instanceof ScannerLimited) {
    await releaseSyncLock(services, lock, { sync_state: 'queued' });
    return queueLater(services, lock, projectId, { until: error.until, why: 'retry' });
  }
  const problem = error instanceof ScannerProblem ? error : undefined;
  const message = problem?.message ?? 'An internal error occurred. Sightline tries again.';
  if (!problem) services.log.error({ orgId, scanner, err: error }, 'scanner sync failed');
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
    ...(isNew ? [{ type: 'integration.failed' as const, ...integrationOf(lock), message }] : []),
  );
  const pause = RETRY_MINUTES[connection.sync_failures];
  if (pause !== undefined) await queueLater(services, lock, projectId, { until: inSeconds(pause * 60), why: 'retry' });
}
