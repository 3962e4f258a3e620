import { githubWebhookSender } from '@sightline/sandbox/planted/github-webhook-sender.ts';
import { recordAuditEntry } from '#core/audit.ts';
import type { Tx } from '#database/database.ts';
import { startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { queueImport } from '../../../domains/sources/imports/commands.ts';
import { webhookHelpers } from '../../../domains/sources/webhooks/deliveries.fixture.ts';
import type { CodeHostFixture } from '../code-host-fixtures.ts';

export const fixture = async (path: string): Promise<CodeHostFixture> => {
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

async function nameOf({ db }: Tx, orgId: string, repositoryId: string): Promise<string> {
  const { full_name } = await db
    .selectFrom('repository')
    .select('full_name')
    .where('org_id', '=', orgId)
    .where('id', '=', repositoryId)
    .executeTakeFirstOrThrow();
  return full_name;
}
