import { subscribeTo } from '#core/topics.ts';
import { statusCheckRequested } from '../../sources/status-checks/topics.ts';
import { pullRequestReceived } from '../../sources/webhooks/topics.ts';
import { queuePolicyResults, queueStatusCheckResult } from './commands.ts';

export const policySubscriptions = [
  subscribeTo(
    pullRequestReceived,
    'compliance.publish-status',
    async ({ services, tx, orgId }, { repository, number, isOpen }) => {
      if (isOpen) await queuePolicyResults(services, tx, orgId, { repositoryId: repository.repositoryId, number });
    },
  ),
  subscribeTo(
    statusCheckRequested,
    'compliance.answer-status-check',
    ({ services, tx, orgId }, { checkId, ...pullRequest }) =>
      queueStatusCheckResult(services, tx, { orgId, ...pullRequest }, checkId),
  ),
];
