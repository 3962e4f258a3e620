import { on } from '#core/topics.ts';
import { repositoryEnabled } from '../../sources/repositories/topics.ts';
import { alertsChanged } from '../../sources/webhooks/topics.ts';
import { queueAlerts } from './commands.ts';

export const alertSubscriptions = [
  on(repositoryEnabled, 'vulnerabilities.read-alerts', ({ services, tx, orgId }, { repositoryId }) =>
    queueAlerts(services, tx, orgId, { repositoryId }),
  ),
  on(alertsChanged, 'vulnerabilities.read-alerts', async ({ services, tx, orgId }, { repositoryIds }) => {
    for (const id of repositoryIds) await queueAlerts(services, tx, orgId, { repositoryId: id });
  }),
];
