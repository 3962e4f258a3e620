import { reviewId } from '@sightline/sandbox/gitea/responses.ts';
import { giteaWebhookSender } from '@sightline/sandbox/gitea/webhook-sender.ts';
import { members } from '@sightline/sandbox/planted/people.ts';
import { startSandboxGitea } from '#providers/gitea/sandbox.fixture.ts';
import { type CodeHostFixture, enableOn, redirectWebhooks } from '../code-host-fixtures.ts';

export const fixture = async (path: string): Promise<CodeHostFixture> => {
  const sandbox = await startSandboxGitea([path]);
  const { gitea, codeHosts } = sandbox;
  const { hooks } = gitea.kept;
  return {
    sandbox,
    codeHosts,
    identityValueOf: ({ login }) => login,
    async connect(server, org) {
      const login = gitea.host.users.byEmail.get(members[0]?.email ?? '')?.login;
      const repositoryId = await enableOn(server, org, 'gitea', { token: sandbox.tokenOf(login) });
      await redirectWebhooks(server, hooks);
      return repositoryId;
    },
    webhookSender: (repository) => giteaWebhookSender(gitea, repository),
    redirectWebhooks: (server) => redirectWebhooks(server, hooks),
    setProtectionReadable: (mayRead) => sandbox.control('gitea/role', { administrators: mayRead }),
    reviewIds: (repository, { number }, key) => String(reviewId(repository, number, `${number}-${key}`)),
  };
};
