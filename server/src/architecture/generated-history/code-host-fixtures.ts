import type { ConnectableHost } from '@sightline/contract/core/providers.ts';
import { connectHost, listHostWorkspaces, selectHostWorkspaces } from '@sightline/contract/sources/host-connections.ts';
import { enableRepositories, listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import type { User } from '@sightline/sandbox/git/users.ts';
import type { HostedRepository } from '@sightline/sandbox/github/hosted-repository.ts';
import type { ReviewIds } from '@sightline/sandbox/planted/answer-key.ts';
import type { HostName } from '@sightline/sandbox/planted/host-name.ts';
import type { HostWebhookSender } from '@sightline/sandbox/planted/webhook-sender.ts';
import { vi } from 'vitest';
import type { Config } from '#config.ts';
import type { SandboxGithub } from '#providers/github/sandbox.fixture.ts';
import type { TestOrganization, TestServer } from '#testing/server.ts';

/** A code host with a generated history. */
export interface CodeHostFixture {
  sandbox: SandboxGithub;
  /** The addresses that the server offers, beside those of its environment. */
  codeHosts?: Config['codeHosts'];
  /** Returns the identity value of a user on the host. */
  identityValueOf: (user: User) => string;
  /** Enables the only repository and its webhooks. Returns its ID. Its import may still be running. */
  connect: (server: TestServer, org: TestOrganization) => Promise<string>;
  /** Undefined: the host sends no webhooks, and is polled. */
  webhookSender: ((repository: HostedRepository) => HostWebhookSender) | undefined;
  /** Lets new webhooks of the repository reach the server, for example after it was enabled again. */
  redirectWebhooks: (server: TestServer) => Promise<void>;
  /** Sets whether the server may read branch protection. */
  setProtectionReadable: (mayRead: boolean) => Promise<void>;
  /** Undefined: the IDs of GitHub. */
  reviewIds?: ReviewIds;
}

/** Connects a host by a token, selects the first workspace and enables the only repository, as an owner does. */
export async function enableOn(
  server: TestServer,
  org: TestOrganization,
  provider: ConnectableHost,
  body: { token: string; email?: string; workspace?: string; baseURL?: string },
): Promise<string> {
  const call = server.as(org.owner, org.id);
  const params = { provider };
  await call(connectHost, { params, body });
  const workspaces = await call(listHostWorkspaces, { params });
  await call(selectHostWorkspaces, { params, body: { ids: workspaces.slice(0, 1).map(({ id }) => id) } });
  return vi.waitFor(async () => {
    const { providerRepos } = await call(listProviderRepos, {});
    const [[owner, [repository]] = ['', []]] = Object.entries(providerRepos[provider] ?? {});
    if (!repository) throw new Error('No repository is offered yet.');
    const chosen = { [provider]: { [owner]: [{ id: repository.id, tracked: true }] } };
    await call(enableRepositories, { body: { providerRepos: chosen } });
    return repository.id;
  }, patience);
}

/** Waits for the webhook of the repository and redirects it from the unreachable public URL to the server. */
export async function redirectWebhooks(server: TestServer, hooks: readonly { url: string }[]): Promise<void> {
  await vi.waitFor(() => {
    if (hooks.length === 0) throw new Error('There is no webhook yet.');
  }, patience);
  for (const hook of hooks) hook.url = hook.url.replace(server.config.PUBLIC_URL, server.url);
}

const patience = { timeout: 60_000, interval: 100 };

interface FixtureFile {
  fixture: (path: string) => Promise<CodeHostFixture>;
}

/** Starts a code host with the repository at a path. The file of that name in the folder hosts exports the fixture. */
export async function startCodeHost(on: HostName, path: string): Promise<CodeHostFixture> {
  const { fixture } = (await import(new URL(`./hosts/${on}.ts`, import.meta.url).href)) as FixtureFile;
  return fixture(path);
}
