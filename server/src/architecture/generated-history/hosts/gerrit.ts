import { messageId } from '@sightline/sandbox/gerrit/messages.ts';
import { members } from '@sightline/sandbox/planted/people.ts';
import { startSandboxGerrit } from '#providers/gerrit/sandbox.fixture.ts';
import { type CodeHostFixture, enableOn } from '../code-host-fixtures.ts';

export const fixture = async (path: string): Promise<CodeHostFixture> => {
  const sandbox = await startSandboxGerrit([path]);
  const { gerrit, codeHosts } = sandbox;
  return {
    sandbox,
    codeHosts,
    identityValueOf: ({ login }) => login,
    connect(server, org) {
      const login = gerrit.host.users.byEmail.get(members[0]?.email ?? '')?.login ?? '';
      return enableOn(server, org, 'gerrit', { token: sandbox.passwordOf(login), email: login });
    },
    webhookSender: undefined,
    redirectWebhooks: async () => undefined,
    setProtectionReadable: (mayRead) => sandbox.control('gerrit/role', { owners: mayRead }),
    reviewIds: (repository, { number }, key) => `${messageId(repository, { number }, `${number}-${key}`)}:Code-Review`,
  };
};
