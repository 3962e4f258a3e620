import { listAudit } from '@sightline/contract/organization/audit.ts';
import { archiveOrganization } from '@sightline/contract/organization/organizations.ts';
import { getFinding } from '@sightline/contract/vulnerabilities/findings.ts';
import { decideWaiver, requestFindingWaivers } from '@sightline/contract/vulnerabilities/waivers.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScanResult, createTestScanner } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { waiverJobs } from './jobs.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

/** Creates an organization with one finding whose waiver has just ended. */
async function createEndedWaiver(): Promise<{ org: TestOrganization; findingId: string }> {
  const org = await server.make.organization();
  const reviewer = await server.make.member(org.id, 'rol_reviewer');
  const { send, findings } = await createTestScanner(server, org);
  await send([createScanResult()]);
  const [finding] = await findings();
  const findingId = finding?.id ?? '';
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await server.as(org.owner, org.id)(requestFindingWaivers, {
    body: { ids: [findingId], until, reason: 'Soon gone.' },
  });
  const { waivers } = await server.as(org.owner, org.id)(getFinding, { params: { findingId } });
  await server.as(reviewer, org.id)(decideWaiver, {
    params: { waiverId: waivers[0]?.id ?? '' },
    body: { approve: true, comment: '' },
  });
  await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .updateTable('finding_waiver')
      .set({ valid_until: new Date(Date.now() - 1000) })
      .where('org_id', '=', org.id)
      .execute(),
  );
  return { org, findingId };
}

/** Returns the start times of the queued jobs of an organization. */
const queued = async (orgId: string): Promise<Date[]> => {
  const { rows } = await server.services.database.pool.query<{ start_after: Date }>(
    `select start_after from pgboss.job where name = 'waivers.expire' and data->>'orgId' = $1 order by 1`,
    [orgId],
  );
  return rows.map((row) => row.start_after);
};

async function run(name: 'waivers.tick' | 'waivers.expire', data: object = {}): Promise<void> {
  const job = waiverJobs(server.services).find((one) => one.name === name);
  await job?.handle(data as never);
}

test('schedules the expiry of a waiver and finds missed expiries on the scheduler tick', async () => {
  const { org, findingId } = await createEndedWaiver();
  const [end] = await queued(org.id);
  expect(end?.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
  await run('waivers.tick');
  expect(await queued(org.id)).toHaveLength(2);
  await run('waivers.expire', { orgId: org.id });
  await run('waivers.expire', { orgId: org.id });
  const finding = await server.as(org.owner, org.id)(getFinding, { params: { findingId } });
  expect(finding).toMatchObject({ status: 'open', waivers: [{ state: 'expired' }] });
  expect(finding.history[0]).toMatchObject({ kind: 'waiver', actor: { kind: 'system', name: 'Sightline' } });
  expect(finding.history.filter(({ phrase }) => phrase.startsWith('ended the waiver'))).toHaveLength(1);
  const { entries } = await server.as(org.owner, org.id)(listAudit, {});
  expect(entries[0]).toMatchObject({ action: 'finding.waiver_expired', actor: { name: 'Sightline' } });
});

test('expires no waivers in an archived organization', async () => {
  const { org, findingId } = await createEndedWaiver();
  await server.as(org.owner, org.id)(archiveOrganization, {});
  await run('waivers.expire', { orgId: org.id });
  const finding = await server.as(org.owner, org.id)(getFinding, { params: { findingId } });
  expect(finding.status).toBe('exception');
  expect(new Set(Object.values(finding.allowed))).toEqual(new Set([false]));
});
