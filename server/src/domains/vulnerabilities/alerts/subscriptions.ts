import { subscribeTo } from '#core/topics.ts';
import { repositoryEnabled } from '../../sources/repositories/topics.ts';
import { alertsChanged } from '../../sources/webhooks/topics.ts';
import { queueAlertImport } from './commands.ts';

export const alertSubscriptions = [
  subscribeTo(repositoryEnabled, 'vulnerabilities.read-alerts', ({ services, tx, orgId }, { repositoryId }) =>
    queueAlertImport(services, tx, orgId, { repositoryId }),
  ),
  subscribeTo(alertsChanged, 'vulnerabilities.read-alerts', async ({ services, tx, orgId }, { repositoryIds }) => {
    for (const id of repositoryIds) await queueAlertImport(services, tx, orgId, { repositoryId: id });
  }),
];
