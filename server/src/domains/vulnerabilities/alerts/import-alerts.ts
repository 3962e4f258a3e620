import { createHash } from 'node:crypto';
import { failureReason } from '#core/failure-reason.ts';
import type { Services } from '#core/services.ts';
import { type CodeHost, type HostAlerts, HostLimited, HostRefused } from '#providers/code-host.ts';
import type { HostAlert } from '../../../providers/host-facts.ts';
import { retireRef } from '../findings/commands.ts';
import { alertReadingOfError, recordAlertReading } from './alert-reading.ts';
import { importAlerts, importNoAlerts } from './commands.ts';
import { isAlreadyImported, listToolsOnRef } from './queries.ts';
import { isRefActive, listRefsWithOpenResults } from './refs.ts';
import { type AlertRepository, enabledAlertSources, maybeAlertRepository } from './subject.ts';

// Maximum number of refs per job beside the default branch. The next job continues, so that jobs stay short.
const MAX_REFS_PER_JOB = 20;

/**
 * The job `alerts.read`: imports all alerts of a repository from GitHub, so that alerts that GitHub no longer reports become fixed. Records
 * scanners that are disabled or not readable. `after` continues with the refs after it. Returns the ref to continue
 * after, if there are more. Throws HostLimited and temporary errors.
 */
export async function importRepositoryAlerts(
  services: Services,
  orgId: string,
  repositoryId: string,
  after?: string,
): Promise<string | undefined> {
  const subject = await maybeAlertRepository(services, orgId, repositoryId);
  if (!subject) return undefined;
  const host = await services.codeHosts.maybe(orgId, 'github', subject.ref.installationId);
  if (!host?.alerts) return undefined;
  const enabledSources = await enabledAlertSources(services, orgId, 'github');
  const failures: unknown[] = [];
  let next: string | undefined;
  for (const kind of after === undefined ? enabledSources : enabledSources.filter((one) => one === 'code_scanning')) {
    try {
      const read = await readKind(services, host.alerts, orgId, { subject, kind, after });
      next ??= read.next;
      await recordAlertReading(services, orgId, {
        repositoryId,
        source: kind,
        reading: {
          state: 'read',
          alerts: read.alerts,
          more: after !== undefined,
        },
      });
    } catch (error) {
      if (error instanceof HostLimited) throw error;
      const about = { orgId, repositoryId, source: kind };
      const reading =
        error instanceof HostRefused
          ? alertReadingOfError(error)
          : ({ state: 'failed', message: failureReason(services, 'reading alerts', about, error) } as const);
      await recordAlertReading(services, orgId, { repositoryId, source: kind, reading });
      if (!(error instanceof HostRefused)) failures.push(error);
    }
  }
  if (after === undefined) await retireDeletedRefs(services, host, orgId, subject);
  if (failures.length > 0) throw failures[0];
  return next;
}

interface AlertPage {
  alerts: number;
  next: string | undefined;
}

async function readKind(
  services: Services,
  host: HostAlerts,
  orgId: string,
  { subject, kind, after }: { subject: AlertRepository; kind: HostAlert['kind']; after: string | undefined },
): Promise<AlertPage> {
  const main = `refs/heads/${subject.defaultBranch}`;
  if (kind !== 'code_scanning') {
    const alerts = await collectAlerts(host.listAlerts(subject.ref, kind));
    await replaceAlerts(services, orgId, { subject, kind, ref: main, alerts });
    return { alerts: alerts.length, next: undefined };
  }
  // Sorted, so that consecutive jobs skip no ref.
  const others = (await host.listAnalyzedRefs(subject.ref)).filter((ref) => ref !== main).sort();
  const waiting = after === undefined ? others : others.filter((ref) => ref > after);
  const refs = after === undefined ? [main] : [];
  const refsOfJob = waiting.slice(0, MAX_REFS_PER_JOB);
  for (const ref of refsOfJob)
    if (await refExists(services, host, orgId, { alertRepository: subject, ref })) refs.push(ref);
  let count = 0;
  for (const ref of refs) {
    const alerts = await collectAlerts(host.listCodeAlerts(subject.ref, ref));
    await replaceAlerts(services, orgId, { subject, kind, ref, alerts });
    count += alerts.length;
  }
  return { alerts: count, next: waiting.length > MAX_REFS_PER_JOB ? refsOfJob.at(-1) : undefined };
}

/** Imports the alerts of each scanner on a ref. A known scanner without alerts gets an empty result. */
async function replaceAlerts(
  services: Services,
  orgId: string,
  {
    subject,
    kind,
    ref,
    alerts,
  }: { subject: AlertRepository; kind: HostAlert['kind']; ref: string; alerts: readonly HostAlert[] },
): Promise<void> {
  const { database } = services;
  const { repositoryId } = subject;
  const byTool = Map.groupBy(alerts, ({ tool }) => tool.name.toLowerCase());
  for (const [tool, ofTool] of byTool) {
    const nativeId = digestOf(ofTool);
    const analysis = { repositoryId, source: kind, tool, ref };
    if (await database.withOrg(orgId, (tx) => isAlreadyImported(tx, orgId, analysis, nativeId))) continue;
    await importAlerts(services, orgId, subject, { ref, alerts: ofTool, complete: true, nativeId });
  }
  const knownTools = await database.withOrg(orgId, (tx) =>
    listToolsOnRef(tx, orgId, { repositoryId, source: kind, ref }),
  );
  for (const tool of knownTools) {
    const analysis = { repositoryId, source: kind, tool: tool.key, ref };
    if (
      byTool.has(tool.key) ||
      (await database.withOrg(orgId, (tx) => isAlreadyImported(tx, orgId, analysis, NO_ALERTS)))
    )
      continue;
    await importNoAlerts(services, orgId, subject, { source: kind, tool, ref, nativeId: NO_ALERTS });
  }
}

const NO_ALERTS = 'none';

const digestOf = (alerts: readonly HostAlert[]): string =>
  createHash('sha256')
    .update(JSON.stringify([...alerts].sort((one, other) => one.number - other.number)))
    .digest('hex');

/** Retires refs whose deletion was not reported by a webhook. */
async function retireDeletedRefs(
  services: Services,
  host: CodeHost,
  orgId: string,
  subject: AlertRepository,
): Promise<void> {
  const { database } = services;
  const { repositoryId } = subject;
  const refs = await database.withOrg(orgId, (tx) => listRefsWithOpenResults(tx, orgId, repositoryId));
  if (!host.alerts || refs.length === 0) return;
  try {
    // If the repository is not accessible, its branches do not count as deleted.
    await host.getRepository(subject.ref);
  } catch (error) {
    if (error instanceof HostRefused) return;
    throw error;
  }
  for (const ref of refs) {
    if (await refExists(services, host.alerts, orgId, { alertRepository: subject, ref })) continue;
    await database.withOrg(orgId, (tx) => retireRef(services, tx, orgId, { repositoryId, ref }));
  }
}

const heads = 'refs/heads/';

async function refExists(
  services: Services,
  host: HostAlerts,
  orgId: string,
  { alertRepository: { repositoryId, ref: repository }, ref }: { alertRepository: AlertRepository; ref: string },
): Promise<boolean> {
  if (ref.startsWith(heads)) return host.hasBranch(repository, ref.slice(heads.length));
  return services.database.withOrg(orgId, (tx) => isRefActive(tx, orgId, repositoryId, ref));
}

async function collectAlerts(pages: AsyncGenerator<HostAlert[]>): Promise<HostAlert[]> {
  const found: HostAlert[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}
