import { subscribeTo } from '#core/topics.ts';
import { personsUnited } from '../../identity/authentication/topics.ts';
import { organizationRestored } from '../../organization/organizations/topics.ts';
import { personsLinked } from '../../sources/contributors/topics.ts';
import { historyImported } from '../../sources/imports/topics.ts';
import { mergeRecorded } from '../../sources/ingest/topics.ts';
import { repositoryReconciled } from '../../sources/reconcile/topics.ts';
import { pullRequestReceived, pushReceived } from '../../sources/webhooks/topics.ts';
import {
  queueChangesOfLinkedPersons,
  queueChangesOfMergedPersons,
  queueMerge,
  queuePushReading,
  recordBranchPush,
  recordPullRequestPush,
  resumeChanges,
} from './commands.ts';

export const changeSubscriptions = [
  subscribeTo(pushReceived, 'compliance.record-push', ({ services, tx, orgId }, { repository, push, isReportedOnce }) =>
    recordBranchPush(services, tx, { where: { ...repository, orgId }, push, isReportedOnce }),
  ),
  subscribeTo(pullRequestReceived, 'compliance.record-head-push', async ({ services, tx, orgId }, received) => {
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
    'compliance.record-merge',
    ({ services, tx, orgId }, { repositoryId, isDismissal, ...merge }) =>
      queueMerge(services, tx, orgId, { repositoryId, merge, cause: isDismissal ? 'review' : 'merge' }),
  ),
  subscribeTo(historyImported, 'compliance.read-pushes', ({ services, tx, orgId }, { repositoryId }) =>
    queuePushReading(services, tx, orgId, repositoryId),
  ),
  subscribeTo(repositoryReconciled, 'compliance.read-pushes', ({ services, tx, orgId }, { repositoryId }) =>
    queuePushReading(services, tx, orgId, repositoryId),
  ),
  subscribeTo(organizationRestored, 'compliance.resume-changes', ({ services, tx, orgId }) =>
    resumeChanges(services, tx, orgId),
  ),
  subscribeTo(personsUnited, 'compliance.record-changes-again', ({ services, tx, orgId }, { from, into }) =>
    queueChangesOfMergedPersons(services, tx, orgId, [from, into]),
  ),
  subscribeTo(personsLinked, 'compliance.record-changes-again', ({ services, tx, orgId }, { persons, repositoryId }) =>
    queueChangesOfLinkedPersons(services, tx, orgId, { persons, repositoryId }),
  ),
];
