import { subscribeTo } from '#core/topics.ts';
import { personsUnited } from '../../identity/authentication/topics.ts';
import { organizationRestored } from '../../organization/organizations/topics.ts';
import { personsLinked } from '../../sources/contributors/topics.ts';
import { historyImported } from '../../sources/imports/topics.ts';
import { mergeRecorded } from '../../sources/ingest/topics.ts';
import { repositoryReconciled } from '../../sources/reconcile/topics.ts';
import { trackerAvailable } from '../../sources/trackers/topics.ts';
import { pullRequestReceived, pushReceived } from '../../sources/webhooks/topics.ts';
import { agentSessionsReceived } from '../../tools/agent-sessions/topics.ts';
import {
  queueChangesOfLinkedPersons,
  queueChangesOfMergedPersons,
  queueChangesWithTickets,
  queueMerge,
  queuePushImport,
  queueSessions,
  recordBranchPush,
  recordPullRequestPush,
  resumeChanges,
} from './commands.ts';
import { moveCommitKeys } from './commit-keys.ts';

export const changeSubscriptions = [
  subscribeTo(
    pushReceived,
    'compliance.record-push',
    ({ services, tx, orgId }, { repository, push, hostListsPushes }) =>
      recordBranchPush(services, tx, { where: { ...repository, orgId }, push, hostListsPushes }),
  ),
  subscribeTo(pullRequestReceived, 'compliance.record-pull-request-push', async ({ services, tx, orgId }, received) => {
    const { repository, number, pushed, receivedAt } = received;
    if (pushed)
      await recordPullRequestPush(services, tx, {
        where: { ...repository, orgId },
        number,
        push: { ...pushed, receivedAt },
      });
  }),
  subscribeTo(
    mergeRecorded,
    'compliance.queue-merge',
    ({ services, tx, orgId }, { repositoryId, isDismissal, ...merge }) =>
      queueMerge(services, tx, orgId, { repositoryId, merge, cause: isDismissal ? 'review' : 'merge' }),
  ),
  subscribeTo(historyImported, 'compliance.queue-push-import', ({ services, tx, orgId }, { repositoryId }) =>
    queuePushImport(services, tx, orgId, repositoryId),
  ),
  subscribeTo(repositoryReconciled, 'compliance.queue-push-import', ({ services, tx, orgId }, { repositoryId }) =>
    queuePushImport(services, tx, orgId, repositoryId),
  ),
  subscribeTo(organizationRestored, 'compliance.resume-changes', ({ services, tx, orgId }) =>
    resumeChanges(services, tx, orgId),
  ),
  subscribeTo(
    personsUnited,
    'compliance.queue-changes-of-merged-persons',
    async ({ services, tx, orgId }, { from, into }) => {
      await moveCommitKeys(tx, orgId, from, into);
      await queueChangesOfMergedPersons(services, tx, orgId, [from, into]);
    },
  ),
  subscribeTo(
    personsLinked,
    'compliance.queue-changes-of-linked-persons',
    ({ services, tx, orgId }, { persons, repositoryId }) =>
      queueChangesOfLinkedPersons(services, tx, orgId, { persons, repositoryId }),
  ),
  subscribeTo(trackerAvailable, 'compliance.queue-changes-with-tickets', ({ services, tx, orgId }) =>
    queueChangesWithTickets(services, tx, orgId),
  ),
  subscribeTo(agentSessionsReceived, 'compliance.queue-agent-sessions', ({ services, tx, orgId }, { sessionIds }) =>
    queueSessions(services, tx, orgId, sessionIds),
  ),
];
