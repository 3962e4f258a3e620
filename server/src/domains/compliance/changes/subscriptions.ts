import { on } from '#core/topics.ts';
import { personsUnited } from '../../identity/authentication/topics.ts';
import { organizationRestored } from '../../organization/organizations/topics.ts';
import { personsLinked } from '../../sources/contributors/topics.ts';
import { historyImported } from '../../sources/imports/topics.ts';
import { mergeRecorded } from '../../sources/ingest/topics.ts';
import { repositoryReconciled } from '../../sources/reconcile/topics.ts';
import { pullRequestReceived, pushReceived } from '../../sources/webhooks/topics.ts';
import { refetchPushes, resumeChanges, takeHeadPush, takeLink, takeMerge, takePush, takeUnion } from './commands.ts';

export const changeSubscriptions = [
  on(pushReceived, 'compliance.record-push', ({ services, tx, orgId }, { repository, push, isToldOnce }) =>
    takePush(services, tx, { where: { ...repository, orgId }, push, isToldOnce }),
  ),
  on(pullRequestReceived, 'compliance.record-head-push', async ({ services, tx, orgId }, received) => {
    const { repository, number, pushed, receivedAt } = received;
    if (pushed)
      await takeHeadPush(services, tx, { where: { ...repository, orgId }, number, push: { ...pushed, receivedAt } });
  }),
  on(mergeRecorded, 'compliance.record-merge', ({ services, tx, orgId }, { repositoryId, isDismissal, ...merge }) =>
    takeMerge(services, tx, orgId, { repositoryId, merge, cause: isDismissal ? 'review' : 'merge' }),
  ),
  on(historyImported, 'compliance.read-pushes', ({ services, tx, orgId }, { repositoryId }) =>
    refetchPushes(services, tx, orgId, repositoryId),
  ),
  on(repositoryReconciled, 'compliance.read-pushes', ({ services, tx, orgId }, { repositoryId }) =>
    refetchPushes(services, tx, orgId, repositoryId),
  ),
  on(organizationRestored, 'compliance.resume-changes', ({ services, tx, orgId }) =>
    resumeChanges(services, tx, orgId),
  ),
  on(personsUnited, 'compliance.record-changes-again', ({ services, tx, orgId }, { from, into }) =>
    takeUnion(services, tx, orgId, [from, into]),
  ),
  on(personsLinked, 'compliance.record-changes-again', ({ services, tx, orgId }, { persons, repositoryId }) =>
    takeLink(services, tx, orgId, { persons, repositoryId }),
  ),
];
