import { sql } from 'kysely';
import { isArchived } from '#core/archived.ts';
import { Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { previousSecretMinutes } from '#core/signatures.ts';
import type { CheckmarxTenant } from '#providers/checkmarx/checkmarx.ts';
import { CheckmarxLimited, CheckmarxProblem } from '#providers/checkmarx/problems.ts';
import { newestScans, noteTaken, takenBranches } from './branches.ts';
import { queueSync, type Wait } from './commands.ts';
import {
  markGone,
  matchByScan,
  matchProjects,
  noteScanned,
  type Project,
  projectsToRead,
  saveProjects,
} from './projects.ts';
import { hookURL } from './queries.ts';
import { placeOf, settingsIn } from './row.ts';
import { endTurn, goOn, type SyncTurn, TurnLost, takeTurn } from './sync-lock.ts';
import { takeScan } from './take.ts';

/**
 * Reads the projects of the tenant and the newest scan of each of their branches, or of one project. Running it again
 * takes nothing in twice. What goes wrong stands in the connection; the next try comes by itself.
 */
export async function sync(services: Services, orgId: string, projectId?: string): Promise<void> {
  if (await services.database.withOrg(orgId, (tx) => isArchived(tx, orgId))) return;
  const turn = await takeTurn(services, orgId);
  if (turn === undefined) return;
  if (turn === 'busy') return later(services, orgId, projectId, { until: inSeconds(5), why: 'busy' });
  try {
    const tenant = await open(services, turn);
    await keepWebhook(services, turn, tenant);
    const failures = await readProjects(services, turn, tenant, projectId);
    await succeed(services, turn, failures);
  } catch (error) {
    if (error instanceof TurnLost) return;
    await fail(services, turn, error, projectId);
  }
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

const later = (services: Services, orgId: string, projectId: string | undefined, wait: Wait): Promise<void> =>
  services.database.withOrg(orgId, (tx) => queueSync(services, tx, orgId, { projectId, wait }));

const open = ({ checkmarx, secrets }: Services, { orgId, connection }: SyncTurn): Promise<CheckmarxTenant> => {
  const { tenant, typedURL } = settingsIn(connection);
  const apiKey = secrets.open(placeOf(orgId, 'secret'), connection.secret).toString();
  return checkmarx(orgId).open({ tenant, apiKey, baseURL: typedURL ?? undefined });
};

// Where the key may not do this, the clock alone brings news.
async function keepWebhook(services: Services, turn: SyncTurn, tenant: CheckmarxTenant): Promise<void> {
  const { hook, hook_id, hook_secret, previous_hook_secret: previous, previous_hook_until } = turn.connection;
  const isRotated = previous !== null && previous_hook_until === null;
  if (hook_secret === null || (hook_id !== null && !isRotated)) return;
  const secret = services.secrets.open(placeOf(turn.orgId, 'hook_secret'), hook_secret).toString();
  try {
    const id = await tenant.registerWebhook({ url: hookURL(services.config.PUBLIC_URL, hook), secret });
    const until = new Date(Date.now() + previousSecretMinutes * 60_000);
    await goOn(services, turn, { hook_id: id, previous_hook_until: until });
    // Checkmarx One changes no secret of a webhook: a new one takes the place of the one before.
    if (hook_id !== null) await tenant.deleteWebhook(hook_id);
  } catch (error) {
    if (error instanceof TurnLost) throw error;
    services.log.info({ orgId: turn.orgId, err: error }, 'no webhook at Checkmarx One');
  }
}

/** Answers what could not be read, as sentences; throws what concerns the whole connection. */
async function readProjects(
  services: Services,
  turn: SyncTurn,
  tenant: CheckmarxTenant,
  projectId: string | undefined,
): Promise<string[]> {
  const { database } = services;
  const { orgId } = turn;
  const isKnown = async () => (await database.withOrg(orgId, (tx) => projectsToRead(tx, orgId, projectId))).length > 0;
  if (projectId === undefined || !(await isKnown())) await listAgain(services, turn, tenant);
  const projects = await database.withOrg(orgId, (tx) => projectsToRead(tx, orgId, projectId));
  await goOn(services, turn, { sync_total: projects.length });
  const failures: string[] = [];
  for (const [done, project] of projects.entries()) {
    await readProject(services, turn, tenant, project).catch((error: unknown) => {
      const words = wordsFor(error);
      if (words === undefined) throw error;
      services.log.warn({ orgId, project: project.id, err: error }, 'a project could not be read');
      failures.push(`${project.name}: ${words}`);
    });
    await goOn(services, turn, { sync_done: done + 1 });
  }
  return failures;
}

// What concerns one project alone; of everything else the next project would fail too.
function wordsFor(error: unknown): string | undefined {
  if (error instanceof CheckmarxProblem && error.code === 'wrong_host') return error.message;
  if (error instanceof Refusal) return error.message;
  const isOfOthers =
    error instanceof CheckmarxProblem || error instanceof CheckmarxLimited || error instanceof TurnLost;
  return isOfOthers ? undefined : 'its results could not be taken in';
}

async function listAgain(services: Services, turn: SyncTurn, tenant: CheckmarxTenant): Promise<void> {
  const { orgId } = turn;
  const seen: string[] = [];
  for await (const page of tenant.projects()) {
    await services.database.withOrg(orgId, (tx) => saveProjects(tx, orgId, page));
    seen.push(...page.map(({ id }) => id));
    await goOn(services, turn);
  }
  await services.database.withOrg(orgId, async (tx) => {
    await markGone(tx, orgId, seen);
    await matchProjects(services, tx, orgId);
  });
}

async function readProject(
  services: Services,
  turn: SyncTurn,
  tenant: CheckmarxTenant,
  listed: Project,
): Promise<void> {
  const { database } = services;
  const { orgId } = turn;
  const project = listed.matchedBy === null ? await askScan(services, turn, tenant, listed) : listed;
  const { repository } = project;
  if (repository === null) return;
  const taken = await database.withOrg(orgId, (tx) => takenBranches(tx, orgId, project.id));
  const mainBranch = project.mainBranch ?? repository.defaultBranch;
  for (const news of await newestScans(tenant, { id: project.id, mainBranch }, taken)) {
    await takeScan(services, {
      tenant,
      orgId,
      project: { ...project, repository },
      branchScan: news,
      onPage: async (results) => {
        turn.results += results;
        await goOn(services, turn);
      },
    });
    await database.withOrg(orgId, async (tx) => {
      await noteTaken(tx, orgId, project.id, news);
      await noteScanned(tx, orgId, project.id, news.scan.createdAt);
    });
  }
}

/** What the newest scan says of its repository may match what the project's own words do not. */
async function askScan(
  services: Services,
  { orgId }: SyncTurn,
  tenant: CheckmarxTenant,
  project: Project,
): Promise<Project> {
  for await (const scan of tenant.scans({ projectId: project.id, most: 1 })) {
    const [matched] = await services.database.withOrg(orgId, async (tx) => {
      await noteScanned(tx, orgId, project.id, scan.createdAt);
      if (scan.repoUrl === null) return [];
      const named = { name: project.name, repoUrl: scan.repoUrl, importedName: null };
      return (await matchByScan(services, tx, orgId, { projectId: project.id, named }))
        ? projectsToRead(tx, orgId, project.id)
        : [];
    });
    return matched ?? project;
  }
  return project;
}

const self = { key: 'checkmarx', name: 'Checkmarx One', category: 'security-scanners' };

async function succeed(services: Services, turn: SyncTurn, failures: readonly string[]): Promise<void> {
  const now = sql<Date>`clock_timestamp()`;
  const [first, ...others] = failures;
  const rest = others.length > 0 ? ` And ${others.length} more.` : '';
  const recovered = turn.connection.status === 'error' ? [{ type: 'integration.recovered' as const, ...self }] : [];
  const change = {
    status: 'active',
    problem: null,
    checked_at: now,
    last_sync_at: now,
    sync_failures: 0,
    ...(first === undefined
      ? { sync_state: 'idle', sync_error: null }
      : { sync_state: 'failed', sync_error: `Incomplete sync. ${first}.${rest}`.replace('..', '.') }),
  };
  await endTurn(services, turn, change, ...recovered);
}

// Minutes until the next try, by how often it failed in a row. The clock asks every hour anyway.
const pauses = [1, 5, 15];

async function fail(services: Services, turn: SyncTurn, error: unknown, projectId: string | undefined): Promise<void> {
  const { orgId, connection } = turn;
  if (error instanceof CheckmarxLimited) {
    await endTurn(services, turn, { sync_state: 'queued' });
    return later(services, orgId, projectId, { until: error.until, why: 'retry' });
  }
  const known = error instanceof CheckmarxProblem ? error : undefined;
  const message = known?.message ?? 'An internal error occurred. Sightline tries again.';
  if (!known) services.log.error({ orgId, err: error }, 'Checkmarx One sync failed');
  const change = {
    sync_state: 'failed',
    sync_error: message,
    sync_failures: connection.sync_failures + 1,
    checked_at: sql<Date>`clock_timestamp()`,
    ...(known && { status: 'error', problem: JSON.stringify({ code: known.code, message }) }),
  };
  // Said once, until it works again.
  const isNew = known !== undefined && turn.connection.status !== 'error';
  await endTurn(services, turn, change, ...(isNew ? [{ type: 'integration.failed' as const, ...self, message }] : []));
  const pause = pauses[connection.sync_failures];
  if (pause !== undefined) await later(services, orgId, projectId, { until: inSeconds(pause * 60), why: 'retry' });
}
