import { z } from 'zod';
import type { HostAlert } from '#providers/code-host.ts';
import { codeAlertFrom, dependencyAlertFrom, secretAlertFrom } from '#providers/github/alert-shapes.ts';
import { queueAlerts, takeAlert } from '../alerts/commands.ts';
import type { Work } from './delivery.ts';
import { firstOr, hostOf, maybeSubject } from './repositories.ts';

const alertEvent = z.object({ alert: z.looseObject({ number: z.number().int() }), ref: z.string().default('') });

/** Code scanning found something, or something became of it. */
export async function handleCodeAlert(work: Work): Promise<void> {
  const { alert, ref } = alertEvent.parse(work.payload);
  const { services, orgId } = work;
  const subject = await maybeSubject(work);
  if (!subject) return;
  const onRef = ref === '' ? `refs/heads/${subject.defaultBranch}` : ref;
  await take(work, 'code_scanning', onRef, () => codeAlertFrom(alert));
  // A person dismissed it or opened it again, on whichever refs it stands.
  if (ref !== '') return;
  await services.database.withOrg(orgId, (tx) => queueAlerts(services, tx, orgId, subject.repositoryId));
}

/** Dependabot found something, or something became of it. */
export const handleDependencyAlert = (work: Work): Promise<void> =>
  take(work, 'dependabot', '', () => dependencyAlertFrom(alertEvent.parse(work.payload).alert));

/** Secret scanning found something, or something became of it. The payload was stored without the secret. */
export const handleSecretAlert = (work: Work): Promise<void> =>
  take(work, 'secret_scanning', '', () => secretAlertFrom(alertEvent.parse(work.payload).alert));

async function take(
  work: Work,
  kind: HostAlert['kind'],
  gitRef: string,
  told: () => HostAlert | undefined,
): Promise<void> {
  const { services, orgId, payload } = work;
  const subject = await maybeSubject(work);
  if (!subject) return;
  const { number } = alertEvent.parse(payload).alert;
  const read = async () => {
    const { alerts } = await hostOf(work, subject);
    return alerts ? alerts.getAlert(subject.ref, kind, number, gitRef) : told();
  };
  const alert = await firstOr(work, read, told);
  if (alert) await takeAlert(services, orgId, subject, alert);
}
