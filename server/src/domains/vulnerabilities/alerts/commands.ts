import type { AlertImport } from '@sightline/contract/vulnerabilities/alert-imports.ts';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { Analysis } from '#providers/scanner.ts';
import type { HostAlert } from '../../../providers/host-facts.ts';
import { findEnabledRepository, type RepositoryKey } from '../../sources/repositories/queries.ts';
import { importResults } from '../findings/intake.ts';
import { listAlertReadingsOf } from './queries.ts';
import { isRefActive } from './refs.ts';
import { resultOfAlert } from './results.ts';
import { type AlertRepository, enabledAlertSources, isAlertKindEnabled } from './subject.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    /** `after`: continues with the refs after this one. */
    'alerts.read': { orgId: string; repositoryId: string; after?: string };
  }
}

/** Queues an import of the alerts of a repository when this transaction commits. */
export const queueAlertImport = (
  services: Services,
  tx: Tx,
  orgId: string,
  {
    repositoryId,
    after,
    startAfter,
  }: { repositoryId: string; after?: string | undefined; startAfter?: Date | undefined },
) =>
  services.jobs.enqueue(
    tx,
    'alerts.read',
    { orgId, repositoryId, ...(after !== undefined && { after }) },
    { key: `${repositoryId}${after ?? ''}`, ...(startAfter && { startAfter }) },
  );

/** Queues an import on request of a member and returns the status of the previous imports. */
export async function requestAlertImport(services: Services, actor: Actor, key: RepositoryKey): Promise<AlertImport[]> {
  const sources = await enabledAlertSources(services, actor.orgId, key.provider);
  return services.database.withOrg(actor.orgId, async (tx) => {
    const repositoryId = await findEnabledRepository(tx, actor, key);
    await queueAlertImport(services, tx, actor.orgId, { repositoryId });
    await recordAuditEntry(tx, {
      people: services.people,
      orgId: actor.orgId,
      actor,
      entry: {
        action: 'repository.alerts_requested',
        subject: { kind: 'repository', id: repositoryId },
      },
    });
    return listAlertReadingsOf(tx, actor.orgId, repositoryId, sources);
  });
}

/**
 * Imports one alert without affecting the others of its scanner. Idempotent, with the same result as an import of all
 * alerts. Skips alert kinds that are disabled, and refs that are deleted or closed.
 */
export async function importAlert(
  services: Services,
  orgId: string,
  subject: AlertRepository,
  alert: HostAlert,
): Promise<void> {
  if (!(await isAlertKindEnabled(services, orgId, alert.kind))) return;
  const ref = alert.ref ?? `refs/heads/${subject.defaultBranch}`;
  if (!(await services.database.withOrg(orgId, (tx) => isRefActive(tx, orgId, subject.repositoryId, ref)))) return;
  await importAlerts(services, orgId, subject, { ref, alerts: [alert], complete: false });
}

interface AlertBatch {
  ref: string;
  /** The current alerts of one scanner on the ref. */
  alerts: readonly HostAlert[];
  /** Whether these are all alerts of the scanner on the ref. */
  complete: boolean;
  nativeId?: string;
}

/** Imports alerts of one scanner on one ref. */
export async function importAlerts(
  services: Services,
  orgId: string,
  { repositoryId }: Pick<AlertRepository, 'repositoryId'>,
  { ref, alerts, complete, nativeId }: AlertBatch,
): Promise<void> {
  const [first] = alerts;
  if (!first) return;
  const { name, version } = first.tool;
  const analysis = {
    repositoryId,
    source: first.kind,
    tool: { key: name.toLowerCase(), name, version },
    category: '',
    ref,
    commit: first.kind === 'code_scanning' ? (alerts.find(({ state }) => state === 'open')?.commit ?? null) : null,
    nativeId: nativeId ?? null,
    complete,
  };
  await importResults(services, orgId, { actor: { integration: 'github' }, analysis, results: resultsOf(alerts) });
}

/** Imports an empty result for a scanner that no longer has alerts on a ref. */
export async function importNoAlerts(
  services: Services,
  orgId: string,
  { repositoryId }: Pick<AlertRepository, 'repositoryId'>,
  {
    source,
    tool,
    ref,
    nativeId,
  }: Pick<Analysis, 'ref' | 'nativeId'> & {
    source: HostAlert['kind'];
    tool: { key: string; name: string };
  },
): Promise<void> {
  const analysis = {
    repositoryId,
    source,
    ref,
    tool: { ...tool, version: null },
    category: '',
    commit: null,
    nativeId,
    complete: true,
  };
  await importResults(services, orgId, { actor: { integration: 'github' }, analysis, results: resultsOf([]) });
}

async function* resultsOf(alerts: readonly HostAlert[]) {
  for (const alert of alerts) yield resultOfAlert(alert);
}
