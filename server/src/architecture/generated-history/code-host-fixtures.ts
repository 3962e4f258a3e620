import { connectHost, listHostWorkspaces, selectHostWorkspaces } from '@sightline/contract/sources/host-connections.ts';
import { enableRepositories, listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { allScopes } from '@sightline/sandbox/bitbucket/bitbucket.ts';
import { uuidOf } from '@sightline/sandbox/bitbucket/responses/account.ts';
import type { User } from '@sightline/sandbox/git/users.ts';
import type { HostedRepository } from '@sightline/sandbox/github/hosted-repository.ts';
import { noteId } from '@sightline/sandbox/gitlab/merge-requests.ts';
import type { ReviewIds } from '@sightline/sandbox/planted/answer-key.ts';
import { bitbucketWebhookSender } from '@sightline/sandbox/planted/bitbucket-webhook-sender.ts';
import { githubWebhookSender } from '@sightline/sandbox/planted/github-webhook-sender.ts';
import { gitlabWebhookSender } from '@sightline/sandbox/planted/gitlab-webhook-sender.ts';
import type { HostName } from '@sightline/sandbox/planted/host-name.ts';
import { members } from '@sightline/sandbox/planted/people.ts';
import type { HostWebhookSender } from '@sightline/sandbox/planted/webhook-sender.ts';
import { vi } from 'vitest';
import { recordAuditEntry } from '#core/audit.ts';
import type { Tx } from '#database/database.ts';
import { startSandboxBitbucket } from '#providers/bitbucket/sandbox.fixture.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startSandboxGitlab } from '#providers/gitlab/sandbox.fixture.ts';
import type { TestOrganization, TestServer } from '#testing/server.ts';
import { queueImport } from '../../domains/sources/imports/commands.ts';
import { webhookHelpers } from '../../domains/sources/webhooks/deliveries.fixture.ts';

/** A code host with a generated history. */
export interface CodeHostFixture {
  sandbox: SandboxGithub;
  /** Returns the identity value of a user on the host. */
  identityValueOf: (user: User) => string;
  /** Enables the only repository and its webhooks. Returns its ID. Its import may still be running. */
  connect: (server: TestServer, org: TestOrganization) => Promise<string>;
  webhookSender: (repository: HostedRepository) => HostWebhookSender;
  /** Lets new webhooks of the repository reach the server, for example after it was enabled again. */
  redirectWebhooks: (server: TestServer) => Promise<void>;
  /** Sets whether the server may read branch protection. */
  setProtectionReadable: (mayRead: boolean) => Promise<void>;
  /** Undefined: the IDs of GitHub. */
  reviewIds?: ReviewIds;
}

const github = async (path: string): Promise<CodeHostFixture> => {
  const sandbox = await startSandboxGithub([path]);
  const { host } = sandbox.sandbox;
  return {
    sandbox,
    identityValueOf: ({ login }) => login,
    async connect(server, org) {
      const { enableOnly, inOrg } = webhookHelpers(() => server);
      const repositoryId = await enableOnly(org, sandbox);
      await inOrg(org.id, async (tx) => {
        const subject = { kind: 'repository', id: repositoryId } as const;
        await recordAuditEntry(tx, {
          people: server.services.people,
          orgId: org.id,
          actor: { clock: true },
          entry: { action: 'repository.enabled', subject, repositoryName: await nameOf(tx, org.id, repositoryId) },
        });
      });
      await inOrg(org.id, (tx) => queueImport(server.services, tx, org.id, repositoryId));
      sandbox.sandbox.deliverTo(`${server.url}/api/webhooks/github`);
      return repositoryId;
    },
    webhookSender: (repository) => githubWebhookSender(host, repository),
    redirectWebhooks: async () => undefined,
    setProtectionReadable: (mayRead) => {
      const [installation] = host.installations.keys();
      return sandbox.control('permissions', { installation, name: 'administration', level: mayRead ? 'read' : 'none' });
    },
  };
};

const gitlab = async (path: string): Promise<CodeHostFixture> => {
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

const bitbucket = async (path: string): Promise<CodeHostFixture> => {
  const sandbox = await startSandboxBitbucket([path]);
  const { bitbucket: cloud, host } = sandbox.sandbox;
  return {
    sandbox,
    identityValueOf: ({ id }) => uuidOf(`user:${id}`),
    async connect(server, org) {
      const token = sandbox.workspaceToken(undefined, 'acme');
      const repositoryId = await enableOn(server, org, 'bitbucket', token);
      await redirectWebhooks(server, cloud.hooks);
      return repositoryId;
    },
    webhookSender: (repository) => bitbucketWebhookSender(cloud, repository),
    redirectWebhooks: (server) => redirectWebhooks(server, cloud.hooks),
    async setProtectionReadable(mayRead) {
      for (const token of cloud.tokens.values()) {
        token.scopes = allScopes.filter((scope) => mayRead || scope !== 'repository:admin');
      }
    },
    // Bitbucket has no review IDs: a review is identified by reviewer and commit.
    reviewIds(_, { steps }, key, shas) {
      const review = steps.find((step) => step.kind === 'review' && step.key === key);
      if (review?.kind !== 'review') throw new Error(`The scenario has no review ${key}.`);
      const id = host.users.byEmail.get(review.by.email.toLowerCase())?.id;
      return `${uuidOf(`user:${id}`)}:${shas.get(review.commit)?.slice(0, 12)}`;
    },
  };
};

/** Connects a host by a token, selects the first workspace and enables the only repository, as an owner does. */
async function enableOn(
  server: TestServer,
  org: TestOrganization,
  provider: 'gitlab' | 'bitbucket',
  body: { token: string; email?: string; workspace?: string },
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
async function redirectWebhooks(server: TestServer, hooks: readonly { url: string }[]): Promise<void> {
  await vi.waitFor(() => {
    if (hooks.length === 0) throw new Error('There is no webhook yet.');
  }, patience);
  for (const hook of hooks) hook.url = hook.url.replace(server.config.PUBLIC_URL, server.url);
}

const patience = { timeout: 60_000, interval: 100 };

export const codeHostFixtures: Readonly<Record<HostName, (path: string) => Promise<CodeHostFixture>>> = {
  github,
  gitlab,
  bitbucket,
};

async function nameOf({ db }: Tx, orgId: string, repositoryId: string): Promise<string> {
  const { full_name } = await db
    .selectFrom('repository')
    .select('full_name')
    .where('org_id', '=', orgId)
    .where('id', '=', repositoryId)
    .executeTakeFirstOrThrow();
  return full_name;
}
