import { type Publication, subscribeTo } from '#core/topics.ts';
import { personsUnited } from '../../identity/authentication/topics.ts';
import { historyImported } from '../../sources/imports/topics.ts';
import { repositoryReconciled } from '../../sources/reconcile/topics.ts';
import { repositoryEnabled } from '../../sources/repositories/topics.ts';
import { pushReceived } from '../../sources/webhooks/topics.ts';
import { moveDetections, queueToolScan } from './commands.ts';

const scanRepository = ({ services, tx, orgId }: Publication, { repositoryId }: { repositoryId: string }) =>
  queueToolScan(services, tx, orgId, { repositoryId });

export const toolSubscriptions = [
  subscribeTo(repositoryEnabled, 'tools.scan-repository', scanRepository),
  subscribeTo(historyImported, 'tools.scan-repository', scanRepository),
  subscribeTo(
    repositoryReconciled,
    'tools.scan-repository',
    async ({ services, tx, orgId }, { repositoryId, newCommits }) => {
      if (newCommits > 0) await queueToolScan(services, tx, orgId, { repositoryId });
    },
  ),
  subscribeTo(pushReceived, 'tools.scan-repository', async ({ services, tx, orgId }, { repository, push }) => {
    const isDefaultBranch = push.branch === repository.defaultBranch;
    if (isDefaultBranch && push.after !== null)
      await queueToolScan(services, tx, orgId, { repositoryId: repository.repositoryId });
  }),
  subscribeTo(personsUnited, 'tools.move-detections', moveDetections),
];
