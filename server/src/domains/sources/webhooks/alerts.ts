import { queueAlerts, takeAlert } from '../../vulnerabilities/alerts/commands.ts';
import type { WorkOf } from './delivery.ts';
import { firstOr, hostOf, maybeSubject } from './repositories.ts';

/** A scanner of the host found something, or something became of it. */
export async function handleAlert(work: WorkOf<'alert'>): Promise<void> {
  const { services, orgId, news } = work;
  const subject = await maybeSubject(work, news.repository);
  if (!subject) return;
  const isCode = news.alert === 'code_scanning';
  const gitRef = isCode ? (news.ref ?? `refs/heads/${subject.defaultBranch}`) : '';
  const read = async () => {
    const { alerts } = await hostOf(work, subject);
    return alerts ? alerts.getAlert(subject.ref, news.alert, news.number, gitRef) : news.told();
  };
  const alert = await firstOr(work, read, news.told);
  if (alert) await takeAlert(services, orgId, subject, alert);
  // A person dismissed it or opened it again, on whichever refs it stands.
  if (!isCode || news.ref !== null) return;
  await services.database.withOrg(orgId, (tx) => queueAlerts(services, tx, orgId, subject.repositoryId));
}
