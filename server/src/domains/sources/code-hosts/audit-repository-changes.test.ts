import { openDisclosure, parseEntry } from '@sightline/evidence/ledger/entry.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '#database/database.ts';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import type { HostRepository } from '../../../providers/host-facts.ts';
import { removeRepositories, saveRepositories, updateRepository } from './commands.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

const key = { provider: 'github', installationId: '7' } as const;
const repository = (id: string, name: string, more: Partial<HostRepository> = {}): HostRepository => ({
  id,
  owner: 'acme',
  name,
  fullName: `acme/${name}`,
  defaultBranch: 'main',
  isPrivate: true,
  url: `https://code.example/acme/${name}`,
  pushedAt: null,
  ...more,
});

test('audits host changes to enabled repositories, not to available ones', async () => {
  const { services } = server;
  const org = await server.make.organization();
  const run = (work: (tx: Tx) => Promise<unknown>) => services.database.withOrg(org.id, work);
  await run(async (tx) => {
    await tx.db
      .insertInto('installation')
      .values({
        org_id: org.id,
        provider: 'github',
        installation_id: '7',
        account_login: 'acme',
        html_url: 'https://code.example/acme',
        created_by: org.owner.id,
      })
      .execute();
    await saveRepositories(services, tx, org.id, {
      installationKey: key,
      repositories: [repository('1', 'api'), repository('2', 'web')],
    });
    await tx.db
      .updateTable('repository')
      .set({ tracked: true })
      .where('org_id', '=', org.id)
      .where('provider_repo_id', '=', '1')
      .execute();
  });
  await run((tx) =>
    saveRepositories(services, tx, org.id, {
      installationKey: key,
      repositories: [repository('1', 'api'), repository('2', 'site')],
    }),
  );
  await run((tx) =>
    updateRepository(services, tx, org.id, {
      provider: 'github',
      repository: repository('1', 'core', { isPrivate: false }),
    }),
  );
  await run((tx) => removeRepositories(services, tx, org.id, { provider: 'github', hostIds: ['1', '2'] }));
  await run((tx) =>
    saveRepositories(services, tx, org.id, {
      installationKey: key,
      repositories: [repository('1', 'core', { isPrivate: false })],
    }),
  );
  const entries = await services.database.withOrg(org.id, ({ db }) =>
    db
      .selectFrom('audit_event')
      .select(['actor_kind', 'actor_id', 'action', 'data'])
      .where('org_id', '=', org.id)
      .orderBy('at')
      .orderBy('id')
      .execute(),
  );
  const fullName = 'acme/core';
  expect(entries).toEqual(
    [
      {
        action: 'repository.renamed',
        data: {
          fullName,
          before: { fullName: 'acme/api', defaultBranch: 'main', private: true },
          after: { fullName, defaultBranch: 'main', private: false },
        },
      },
      { action: 'repository.removed', data: { fullName, before: { shown: true }, after: { shown: false } } },
      { action: 'repository.restored', data: { fullName, before: { shown: false }, after: { shown: true } } },
    ].map((entry) => ({ actor_kind: 'integration', actor_id: 'github', ...entry })),
  );
});

test('records in the ledger which repositories the host lists, enabled or not', async () => {
  const { services } = server;
  const org = await server.make.organization();
  const run = (work: (tx: Tx) => Promise<unknown>) => services.database.withOrg(org.id, work);
  const save = (...repositories: HostRepository[]) =>
    run((tx) => saveRepositories(services, tx, org.id, { installationKey: key, repositories }));
  await save(repository('1', 'api'), repository('2', 'web'));
  await save(repository('1', 'api'), repository('2', 'site'));
  await run((tx) => removeRepositories(services, tx, org.id, { provider: 'github', hostIds: ['1', '2'] }));
  await save(repository('1', 'api'));
  await save(...Array.from({ length: 150 }, (_, index) => repository(String(index + 10), `service-${index}`)));
  const pending = await services.database.withOrg(org.id, (tx) =>
    tx.query<{ kind: string; entry: string; disclosures: string[] }>({
      name: '',
      text: `select kind, entry, (select array_agg(disclosure) from repository_disclosure d
               where d.org_id = p.org_id and d.entry_id = p.entry_id) as disclosures
             from ledger_pending p where org_id = $1 and kind like 'repository.%' order by id`,
      values: [org.id],
    }),
  );
  const recorded = pending.map(({ kind, entry, disclosures }) => {
    // The ledger contains names only as commitments.
    expect(entry).not.toContain('acme');
    const names = disclosures.map((one) => openDisclosure(parseEntry(entry), one).value);
    return [kind, ...(names.length > 2 ? [names.length] : names.sort())];
  });
  expect(recorded).toEqual([
    ['repository.listed', 'acme/api', 'acme/web'],
    ['repository.listed', 'acme/site'],
    ['repository.unlisted', 'acme/api', 'acme/site'],
    ['repository.listed', 'acme/api'],
    ['repository.listed', 100],
    ['repository.listed', 50],
  ]);
});
