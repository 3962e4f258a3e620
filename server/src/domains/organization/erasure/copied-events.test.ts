import { randomBytes } from 'node:crypto';
import { erasePerson } from '@sightline/contract/organization/erasure.ts';
import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasClickHouse, startClickHouse } from '#testing/clickhouse.ts';
import { createTestRepository } from '#testing/findings.ts';
import { startTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import type { HostPerson } from '../../../providers/host-facts.ts';
import { ingestCommits } from '../../sources/ingest/commands.ts';
import { copyTable } from '../../timeline/events/clickhouse/table.ts';
import { eventJobs } from '../../timeline/events/jobs.ts';
import { runErasure } from './run.ts';

if (!hasClickHouse) {
  console.log('Skipped: erasing in ClickHouse. `npm ci --prefix bench/clickhouse` installs one for tests (550 MB).');
}

describe.skipIf(!hasClickHouse)('on erasure of a person', () => {
  let clickhouse: Awaited<ReturnType<typeof startClickHouse>>;
  let server: TestServer;
  let acme: TestOrganization;
  let other: TestOrganization;
  let zelda: TestAccount;

  beforeAll(async () => {
    clickhouse = await startClickHouse();
    const MASTER_KEY = randomBytes(32).toString('base64');
    server = await startTestServer({ environment: { CLICKHOUSE_URL: clickhouse.url, MASTER_KEY } });
    [acme, other] = [await server.make.organization('Acme'), await server.make.organization('Other')];
    zelda = await server.make.member(acme.id, 'rol_contributor');
    for (const org of [acme, other]) {
      const repositoryId = await createTestRepository(server, org);
      const her = { name: 'Zelda Quixote', email: zelda.email, login: 'zeldaq', avatarUrl: null };
      const bob = { name: 'Bob Builder', email: 'bob@example.org', login: 'bobb', avatarUrl: null };
      const commits = [
        commit(1, her, 'Add a quest'),
        commit(2, bob, 'Fix what Zelda Quixote broke'),
        commit(3, bob, 'Go on'),
      ];
      await ingestCommits(server.services, org.id, repositoryId, { commits, branch: 'main' });
      await runJob('events.index', org);
      await runJob('events.copy', org);
    }
  }, 120_000);
  afterAll(async () => {
    await server?.close();
    await clickhouse?.stop();
  });

  const commit = (n: number, author: HostPerson, message: string) => {
    const at = new Date(Date.UTC(2026, 9, 1, 10, n)).toISOString();
    const sha = n.toString(16).padStart(4, '0').repeat(10);
    return { sha, message, author, committer: author, parents: [], authoredAt: at, committedAt: at };
  };

  async function runJob(name: 'events.index' | 'events.copy', { id: orgId }: TestOrganization): Promise<void> {
    for (const job of eventJobs(server.services)) if (job.name === name) await job.handle({ orgId });
  }

  /** The number of copied events, and of copied rows that name her. Does not wait for merges. */
  async function copied({ id }: TestOrganization): Promise<{ events: number; named: number }> {
    const rows = await server.services.clickhouse?.read<[number, number]>(
      `select uniqExact(id), countIf(positionCaseInsensitive(shown, 'zelda') > 0) from ${copyTable} where org_id = {org:UUID}`,
      { org: id },
    );
    return { events: Number(rows?.[0]?.[0]), named: Number(rows?.[0]?.[1]) };
  }
  const found = async (query: string) =>
    (await server.as(acme.owner, acme.id)(queryEvents, { body: { query } })).events.length;

  test('deletes copies with names and recreates them without; keeps those of others', async () => {
    const before = await copied(acme);
    expect(before).toEqual({ events: expect.any(Number), named: 2 });
    expect(await found('*quixot*')).toBe(2);
    const erasure = await server.as(acme.owner, acme.id)(erasePerson, {
      body: { subject: { kind: 'member', id: zelda.id }, confirm: zelda.email },
    });
    await runErasure(server.services, acme.id, erasure.id);
    expect((await copied(acme)).named).toBe(0);
    await runJob('events.index', acme);
    await runJob('events.copy', acme);
    const after = await copied(acme);
    expect(after.named).toBe(0);
    expect(after.events).toBeGreaterThanOrEqual(before.events);
    expect(await found('*quixot*')).toBe(0);
    expect(await found('*rased*')).toBeGreaterThanOrEqual(2);
    expect((await copied(other)).named).toBe(2);
  });
});
