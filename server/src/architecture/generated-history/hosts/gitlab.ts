import { noteId } from '@sightline/sandbox/gitlab/merge-requests.ts';
import { gitlabWebhookSender } from '@sightline/sandbox/planted/gitlab-webhook-sender.ts';
import { members } from '@sightline/sandbox/planted/people.ts';
import { startSandboxGitlab } from '#providers/gitlab/sandbox.fixture.ts';
import { type CodeHostFixture, enableOn, redirectWebhooks } from '../code-host-fixtures.ts';

export const fixture = async (path: string): Promise<CodeHostFixture> => {
  const sandbox = await startSandboxGitlab([path]);
  const { gitlab: instance, host } = sandbox.sandbox;
  return {
    sandbox,
    identityValueOf: ({ login }) => login,
    async connect(server, org) {
      // A self-managed GitLab has no rate limit unless it is configured.
      await sandbox.control('gitlab/rate-limit', { remaining: 10_000_000, resetInSeconds: 86_400 });
      const login = host.users.byEmail.get(members[0]?.email ?? '')?.login;
      const repositoryId = await enableOn(server, org, 'gitlab', { token: sandbox.tokenOf(login) });
      await redirectWebhooks(server, instance.kept.hooks);
      return repositoryId;
    },
    webhookSender: (repository) => gitlabWebhookSender(instance, repository),
    redirectWebhooks: (server) => redirectWebhooks(server, instance.kept.hooks),
    setProtectionReadable: (mayRead) => sandbox.control('gitlab/role', { maintainers: mayRead }),
    reviewIds: (repository, { number }, key) => String(noteId(repository, number, `${number}-${key}`)),
  };
};
