import { on } from '#core/topics.ts';
import { statusCheckRequested } from '../../sources/status-checks/topics.ts';
import { pullRequestReceived } from '../../sources/webhooks/topics.ts';
import { queueAnswer, queueStatus } from './commands.ts';

export const policySubscriptions = [
  on(
    pullRequestReceived,
    'compliance.publish-status',
    async ({ services, tx, orgId }, { repository, number, isOpen }) => {
      if (isOpen) await queueStatus(services, tx, orgId, { repositoryId: repository.repositoryId, number });
    },
  ),
  on(statusCheckRequested, 'compliance.answer-status-check', ({ services, tx, orgId }, { checkId, ...pullRequest }) =>
    queueAnswer(services, tx, { orgId, ...pullRequest }, checkId),
  ),
];
