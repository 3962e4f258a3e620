import { reviewId } from '@sightline/sandbox/bitbucket-data-center/pulls.ts';
import { dataCenterWebhookSender } from '@sightline/sandbox/bitbucket-data-center/webhook-sender.ts';
import { members } from '@sightline/sandbox/planted/people.ts';
import { startSandboxDataCenter } from '#providers/bitbucket-data-center/sandbox.fixture.ts';
import { type CodeHostFixture, enableOn, redirectWebhooks } from '../code-host-fixtures.ts';

export const fixture = async (path: string): Promise<CodeHostFixture> => {
  const sandbox = await startSandboxDataCenter([path]);
  const { dataCenter, codeHosts } = sandbox;
  const { hooks } = dataCenter.kept;
  return {
    sandbox,
    codeHosts,
    identityValueOf: ({ login }) => login,
    async connect(server, org) {
      const login = dataCenter.host.users.byEmail.get(members[0]?.email ?? '')?.login;
      const repositoryId = await enableOn(server, org, 'bitbucket-data-center', { token: sandbox.tokenOf(login) });
      await redirectWebhooks(server, hooks);
      return repositoryId;
    },
    webhookSender: (repository) => dataCenterWebhookSender(dataCenter, repository),
    redirectWebhooks: (server) => redirectWebhooks(server, hooks),
    setProtectionReadable: (mayRead) => sandbox.control('bitbucket-data-center/role', { administrators: mayRead }),
    reviewIds: (repository, { number }, key) => String(reviewId(repository, number, `${number}-${key}`)),
  };
};
