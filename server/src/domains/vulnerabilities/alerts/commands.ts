import type { AlertReading } from '@sightline/contract/vulnerabilities/alerts.ts';
import type { Actor } from '#core/actor.ts';
import { record } from '#core/audit.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { Analysis } from '#providers/scanner.ts';
import type { HostAlert } from '../../../providers/host-facts.ts';
import { findTracked, type RepositoryKey } from '../../sources/repositories/queries.ts';
import { importResults } from '../findings/intake.ts';
import { listReadings } from './queries.ts';
import { isLiving } from './refs.ts';
import { resultOf } from './results.ts';
import { type AlertRepository, wantedSources, wants } from './subject.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    /** `after`: goes on with the refs behind this one. */
    'alerts.read': { orgId: string; repositoryId: string; after?: string };
  }
}

/** Has what the code host's own scanners say of a repository read by a job, once this commits. */
export const queueAlerts = (
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

/** The same because somebody asks for it, who is answered how it went so far. */
export async function readAgain(services: Services, actor: Actor, key: RepositoryKey): Promise<AlertReading[]> {
  const sources = await wantedSources(services, actor.orgId, key.provider);
  return services.database.withOrg(actor.orgId, async (tx) => {
    const repositoryId = await findTracked(tx, actor, key);
    await queueAlerts(services, tx, actor.orgId, { repositoryId });
    await record(tx, {
      people: services.people,
      orgId: actor.orgId,
      doer: actor,
      entry: {
        action: 'repository.alerts_requested',
        subject: { kind: 'repository', id: repositoryId },
      },
    });
    return listReadings(tx, actor.orgId, repositoryId, sources);
  });
}

/**
 * Takes one alert in as it stands now, beside the others of its scanner. Doing it twice is the same as once, and gives
 * the same rows as reading all of them. What nobody wants, and what stands on a ref that is gone, is passed over.
 */
export async function takeAlert(
  services: Services,
  orgId: string,
  subject: AlertRepository,
  alert: HostAlert,
): Promise<void> {
  if (!(await wants(services, orgId, alert.kind))) return;
  const ref = alert.ref ?? `refs/heads/${subject.defaultBranch}`;
  if (!(await services.database.withOrg(orgId, (tx) => isLiving(tx, orgId, subject.repositoryId, ref)))) return;
  await takeAlerts(services, orgId, subject, { ref, alerts: [alert], complete: false });
}

interface Take {
  ref: string;
  /** Of one scanner, as they stand on the ref. */
  alerts: readonly HostAlert[];
  /** Whether these are all there are. */
  complete: boolean;
  nativeId?: string;
}

/** Takes alerts of one scanner on one ref in. */
export async function takeAlerts(
  services: Services,
  orgId: string,
  { repositoryId }: Pick<AlertRepository, 'repositoryId'>,
  { ref, alerts, complete, nativeId }: Take,
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
  await importResults(services, orgId, { doer: { integration: 'github' }, analysis, results: each(alerts) });
}

/** A scanner that was there says nothing on a ref any more. */
export async function takeNone(
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
  await importResults(services, orgId, { doer: { integration: 'github' }, analysis, results: each([]) });
}

async function* each(alerts: readonly HostAlert[]) {
  for (const alert of alerts) yield resultOf(alert);
}
