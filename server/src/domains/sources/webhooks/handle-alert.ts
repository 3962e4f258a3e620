import type { HostAlert } from '../../../providers/host-facts.ts';
import type { WebhookWork } from './delivery.ts';
import { type DeliveryRepository, deliveryHost, maybeDeliveryRepository, readHostOrPayload } from './repositories.ts';
import { alertsChanged } from './topics.ts';

declare module '#core/services.ts' {
  interface Services {
    /** Imports the current state of one alert of a code host. */
    takeAlert: (orgId: string, repository: DeliveryRepository, alert: HostAlert) => Promise<void>;
  }
}

/** Handles a new or changed alert of a code host. */
export async function handleAlert(work: WebhookWork<'alert'>): Promise<void> {
  const { services, orgId, news } = work;
  const subject = await maybeDeliveryRepository(work, news.repository);
  if (!subject) return;
  const isCode = news.alert === 'code_scanning';
  const gitRef = isCode ? (news.ref ?? `refs/heads/${subject.defaultBranch}`) : '';
  const read = async () => {
    const { alerts } = await deliveryHost(work, subject);
    return alerts ? alerts.getAlert(subject.ref, news.alert, news.number, gitRef) : news.told();
  };
  const alert = await readHostOrPayload(work, read, news.told);
  if (alert) await services.takeAlert(orgId, subject, alert);
  // A user dismissed or reopened it on all refs.
  if (!isCode || news.ref !== null) return;
  const repositoryIds = [subject.repositoryId];
  await services.database.withOrg(orgId, (tx) =>
    services.topics.publish({ services, tx, orgId }, alertsChanged, { repositoryIds }),
  );
}
