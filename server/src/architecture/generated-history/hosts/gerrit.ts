import { messageId } from '@sightline/sandbox/gerrit/messages.ts';
import { members } from '@sightline/sandbox/planted/people.ts';
import { startSandboxGerrit } from '#providers/gerrit/sandbox.fixture.ts';
import { reconcileRepository } from '../../../domains/sources/reconcile/reconcile.ts';
import { type CodeHostFixture, enableOn } from '../code-host-fixtures.ts';

export const fixture = async (path: string): Promise<CodeHostFixture> => {
  const sandbox = await startSandboxGerrit([path]);
  const { gerrit, codeHosts } = sandbox;
  let poll = async (): Promise<void> => undefined;
  return {
    sandbox,
    codeHosts,
    identityValueOf: ({ login }) => login,
    async connect(server, org) {
      const login = gerrit.host.users.byEmail.get(members[0]?.email ?? '')?.login ?? '';
      const repositoryId = await enableOn(server, org, 'gerrit', { token: sandbox.passwordOf(login), email: login });
      poll = async () => {
        await reconcileRepository(server.services, org.id, repositoryId);
      };
      return repositoryId;
    },
    // Gerrit sends no webhooks: it is polled.
    webhookSender: () => ({
      pushed: async () => undefined,
      opened: async () => undefined,
      updated: async () => undefined,
      merged: async () => undefined,
      reviewed: () => undefined,
      dismissed: () => undefined,
      settled: () => poll(),
    }),
    redirectWebhooks: async () => undefined,
    setProtectionReadable: (mayRead) => sandbox.control('gerrit/role', { owners: mayRead }),
    reviewIds: (repository, { number }, key) => `${messageId(repository, { number }, `${number}-${key}`)}:Code-Review`,
  };
};
