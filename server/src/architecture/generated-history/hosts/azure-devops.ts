import { uniqueNameOf } from '@sightline/sandbox/azure-devops/responses.ts';
import { voteId } from '@sightline/sandbox/azure-devops/threads.ts';
import { azureDevopsWebhookSender } from '@sightline/sandbox/azure-devops/webhook-sender.ts';
import { members } from '@sightline/sandbox/planted/people.ts';
import { expect, vi } from 'vitest';
import { hookEvents } from '#providers/azure-devops/hooks.ts';
import { startSandboxAzureDevops } from '#providers/azure-devops/sandbox.fixture.ts';
import type { TestServer } from '#testing/server.ts';
import { type CodeHostFixture, enableOn, redirectWebhooks } from '../code-host-fixtures.ts';

export const fixture = async (path: string): Promise<CodeHostFixture> => {
  const sandbox = await startSandboxAzureDevops([path]);
  const { azureDevops, codeHosts } = sandbox;
  const { hooks } = azureDevops.kept;
  /** A webhook of the server is a subscription to each event. */
  const redirect = async (server: TestServer) => {
    await vi.waitFor(() => expect(hooks).toHaveLength(hookEvents.length), { timeout: 60_000, interval: 100 });
    await redirectWebhooks(server, hooks);
  };
  return {
    sandbox,
    codeHosts,
    identityValueOf: uniqueNameOf,
    async connect(server, org) {
      const login = azureDevops.host.users.byEmail.get(members[0]?.email ?? '')?.login;
      const repositoryId = await enableOn(server, org, 'azure-devops', { token: sandbox.tokenOf(login) });
      await redirect(server);
      return repositoryId;
    },
    webhookSender: (repository) => azureDevopsWebhookSender(azureDevops, repository),
    redirectWebhooks: redirect,
    setProtectionReadable: (mayRead) => sandbox.control('azure-devops/role', { administrators: mayRead }),
    reviewIds: (repository, { number }, key) => String(voteId(repository, number, `${number}-${key}`)),
  };
};
