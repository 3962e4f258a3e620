import type { HostAlert } from '../../../providers/host-facts.ts';
import type { WebhookWork } from './delivery.ts';
import { type DeliveryRepository, deliveryHost, maybeDeliveryRepository, readHostOrPayload } from './repositories.ts';
import { alertsChanged } from './topics.ts';

declare module '#core/services.ts' {
  interface Services {
    /** Imports the current state of one alert of a code host. */
    importAlertState: (orgId: string, repository: DeliveryRepository, alert: HostAlert) => Promise<void>;
  }
}

/** Handles a new or changed alert of a code host. */
export async function handleAlert(work: WebhookWork<'alert'>): Promise<void> {
  const { services, orgId, hostEvent } = work;
  const subject = await maybeDeliveryRepository(work, hostEvent.repository);
  if (!subject) return;
  const isCode = hostEvent.alert === 'code_scanning';
  const gitRef = isCode ? (hostEvent.ref ?? `refs/heads/${subject.defaultBranch}`) : '';
  const read = async () => {
    const { alerts } = await deliveryHost(work, subject);
    return alerts ? alerts.getAlert(subject.ref, hostEvent.alert, hostEvent.number, gitRef) : hostEvent.parsePayload();
  };
  const alert = await readHostOrPayload(work, read, hostEvent.parsePayload);
  if (alert) await services.importAlertState(orgId, subject, alert);
  // Without a ref, a user dismissed or reopened the alert on all refs.
  if (!isCode || hostEvent.ref !== null) return;
  const repositoryIds = [subject.repositoryId];
  await services.database.withOrg(orgId, (tx) =>
    services.topics.publish({ services, tx, orgId }, alertsChanged, { repositoryIds }),
  );
}
