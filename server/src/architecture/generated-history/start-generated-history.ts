import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Person } from '@sightline/sandbox/git/pull-request.ts';
import { hostedAt } from '@sightline/sandbox/planted/answer-key.ts';
import { createRepositoryScenario } from '@sightline/sandbox/planted/create-repository-scenario.ts';
import type { HostName } from '@sightline/sandbox/planted/host-name.ts';
import { hostBehavior } from '@sightline/sandbox/planted/hosts.ts';
import { members } from '@sightline/sandbox/planted/people.ts';
import type { RepositoryScenario } from '@sightline/sandbox/planted/repository-scenario.ts';
import { writeRepositoryScenario } from '@sightline/sandbox/planted/write-repository-scenario.ts';
import { expect } from 'vitest';
import { startTestServer } from '#testing/server.ts';
import { reconcileRepository } from '../../domains/sources/reconcile/reconcile.ts';

import { startCodeHost } from './code-host-fixtures.ts';
import { dayMs, type GeneratedHistory, waitFor } from './generated-history.ts';
import { addScenarioMembers, backdateOrganization } from './members.ts';
import { compliantRules, setProtection } from './protection.ts';
import { createToggleClock } from './toggle-clock.ts';

/** Starts a server with a repository whose changes are all generated. `isSound`: none of them violates a control. */
export const startGeneratedHistory = (
  seed: number,
  size: number,
  { isSound = false, on = 'github' as HostName } = {},
): Promise<GeneratedHistory> => startHistory(createRepositoryScenario(seed, size, { isSound, on }), members);

/** Starts a server with the repository of a scenario, of which these people are members. */
export async function startHistory(
  repositoryScenario: RepositoryScenario,
  people: readonly Person[],
): Promise<GeneratedHistory> {
  const { seed, on } = repositoryScenario;
  const folder = await mkdtemp(join(tmpdir(), 'sightline-planted-'));
  const path = join(folder, 'widgets');
  const shas = await writeRepositoryScenario(path, 'acme', repositoryScenario, Date.now() - 200 * dayMs);
  const codeHost = await startCodeHost(on, path);
  const { sandbox } = codeHost;
  const server = await startTestServer({
    environment: sandbox.environment,
    jobs: true,
    ...(codeHost.codeHosts && { codeHosts: codeHost.codeHosts }),
    destinations: [sandbox.sandbox.url],
  });
  const org = await server.make.organization();
  const accounts = await addScenarioMembers(server, org.id, { codeHost, on, people });
  // Changes happened in the past.
  await backdateOrganization(server, org.id, 8);
  const toggleClock = await createToggleClock(server);
  await toggleClock.set(new Date(Date.now() - 60 * dayMs));
  const history: GeneratedHistory = {
    seed,
    on,
    server,
    org,
    accounts,
    codeHost,
    toggleClock,
    hosted: hostedAt(sandbox.sandbox.host, path),
    repositoryId: await codeHost.connect(server, org),
    repositoryScenario,
    shas,
    reportedCount: 0,
    selectRows: <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
      server.services.database.withOrg(org.id, (tx) => tx.query<Row>({ name: '', text, values: [org.id, ...values] })),
    async close() {
      await server.close();
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await toggleClock.set(null);
  await waitForImport(history);
  await setProtection(history, compliantRules);
  return history;
}

async function waitForImport({ server, org, on, repositoryId, selectRows }: GeneratedHistory): Promise<void> {
  await waitFor(async () =>
    expect(await selectRows('select state from repository_import where org_id = $1')).toEqual([{ state: 'done' }]),
  );
  // If the host has no list of pushes, the first reconciliation imports the commits it finds as history, so it must
  // run before the changes.
  if (hostBehavior(on).listsPushes) return;
  await reconcileRepository(server.services, org.id, repositoryId);
  await waitFor(async () => expect(await selectRows('select sha from branch_start where org_id = $1')).toHaveLength(1));
}
