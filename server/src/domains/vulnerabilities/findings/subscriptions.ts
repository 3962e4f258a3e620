import { subscribeTo } from '#core/topics.ts';
import { refsDeleted } from '../../sources/webhooks/topics.ts';
import { retireRef } from './commands.ts';

export const findingSubscriptions = [
  subscribeTo(refsDeleted, 'vulnerabilities.retire-refs', async ({ services, tx, orgId }, { repositoryId, refs }) => {
    for (const ref of refs) await retireRef(services, tx, orgId, { repositoryId, ref });
  }),
];
