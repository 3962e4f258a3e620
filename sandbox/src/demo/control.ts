import type { FastifyInstance } from 'fastify';
import { createWorkspaceToken } from '../bitbucket/bitbucket.ts';
import { currentKey, tenantName } from '../checkmarx/tenant.ts';
import { accountsOf, fullName, peopleOf } from '../github/host.ts';
import { refuse } from '../github/refusal.ts';
import { createToken as createGitlabToken, limitInstance } from '../gitlab/instance.ts';
import { createDemo, type HostedDemo, removeDemo } from './demo.ts';
import { type DemoServices, plantScans, playChanges, scanDemoAgain } from './live-changes.ts';
import { demoPeople } from './people.ts';
import { demoOwners } from './repositories.ts';
import { sarifOf } from './sarif.ts';
import { clearServices, credentialsOf, plantServices, synchronizePeople } from './services.ts';

/**
 * Endpoints below /_sandbox/demo: they create the repositories of the demo below `folder`, and changes and scans of
 * today. Repeated requests create them once.
 */
export const demoControl = (server: FastifyInstance, services: DemoServices, folder: string | undefined): void => {
  let creating: Promise<HostedDemo[]> | undefined;
  const created = async (): Promise<HostedDemo[]> => {
    if (creating === undefined) throw refuse(409, 'The demo repositories were not created since the sandbox started.');
    return creating;
  };

  server.post('/demo', async () => {
    if (folder === undefined) throw refuse(409, 'The sandbox has no folder for repositories.');
    const now = Date.now();
    creating ??= createDemo(services.host, folder, now).then((demos) => {
      plantScans(services.tenant, demos, now);
      plantServices(services.connected, demos);
      return demos;
    });
    // The import of two years would wait for the next minute.
    limitInstance(services.gitlab, false);
    const demos = await creating;
    const [user] = peopleOf(services.host).filter(({ emails }) => emails.includes(demoPeople[0]?.email ?? ''));
    const account = accountsOf(services.host).find(({ login }) => login === demoOwners.github);
    if (user === undefined || account === undefined) throw refuse(409, 'The account of the demo is missing.');
    return {
      githubAccount: account.id,
      login: user.login,
      owners: demoOwners,
      tokens: {
        gitlab: createGitlabToken(services.gitlab, user),
        bitbucket: createWorkspaceToken(services.bitbucket, demoOwners.bitbucket),
      },
      checkmarx: { tenant: tenantName, apiKey: currentKey(services.tenant) },
      ...credentialsOf(services.connected),
      repositories: demos.map(({ repository, history }) => ({
        fullName: fullName(repository),
        host: history.repository.host,
        pullRequests: repository.git.pullRequests.length,
        commits: repository.git.commits.size,
      })),
    };
  });
  // Receives checkpoints of the ledger as an anchor.
  server.post('/demo/checkpoints', async (_, reply) => reply.code(204).send());
  server.delete('/demo', async (_, reply) => {
    if (folder === undefined) throw refuse(409, 'The sandbox has no folder for repositories.');
    const demos = (await creating?.catch(() => undefined)) ?? [];
    creating = undefined;
    clearServices(services.connected, demos);
    await removeDemo(services.host, folder);
    const { gitlab, bitbucket, tenant } = services;
    gitlab.kept.hooks = [];
    bitbucket.hooks.length = 0;
    tenant.kept.scans = [];
    tenant.kept.webhooks = [];
    limitInstance(gitlab, true);
    for (const { save } of [gitlab, bitbucket, tenant]) save();
    return reply.code(204).send();
  });
  server.post<{ Body: { url: string; token: string } }>('/demo/directory', async ({ body }, reply) => {
    await synchronizePeople(services.connected, { ...body, dialect: 'entra' });
    return reply.code(204).send();
  });
  server.post('/demo/changes', async (_, reply) => {
    await playChanges(services, await created());
    return reply.code(204).send();
  });
  server.post('/demo/scans', async (_, reply) => {
    await scanDemoAgain(services.tenant, await created());
    return reply.code(204).send();
  });
  server.get<{ Querystring: { repository: string; run: string } }>('/demo/sarif', async ({ query }) => {
    const demo = (await created()).find(({ repository }) => fullName(repository) === query.repository);
    if (demo === undefined) throw refuse(404, 'Not Found');
    return sarifOf(demo, Number(query.run));
  });
};
