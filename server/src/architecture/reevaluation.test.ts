import { getControlSample } from '@sightline/contract/compliance/control-rows.ts';
import { getControl } from '@sightline/contract/compliance/control-runs.ts';
import { createPolicy } from '@sightline/contract/compliance/policies.ts';
import { deactivateMember, listMembers } from '@sightline/contract/organization/members.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { superuserUrl } from '#testing/server.ts';
import { evaluateControl } from './generated-history/evaluate-control.ts';
import type { GeneratedHistory } from './generated-history/generated-history.ts';
import { reportChanges } from './generated-history/report-changes.ts';
import { startGeneratedHistory } from './generated-history/start-generated-history.ts';

const patience = 180_000;
let history: GeneratedHistory;
beforeAll(async () => {
  history = await startGeneratedHistory(5, 8, { isSound: true });
  await reportChanges(history, 5);
}, patience);
afterAll(() => history.close());

test('reproduces a control result at an earlier checkpoint after changes to policies, members and merges', {
  tags: ['full'],
  timeout: patience,
}, async () => {
  const { server, org } = history;
  const call = server.as(org.owner, org.id);
  const before = await evaluateControl(history, 'CHG-01');
  expect(before).toMatchObject({ status: 'passing', rows: { length: 5 } });
  const sampleOf = async (asOf: string) =>
    (
      await call(getControlSample, { params: { id: 'CHG-01' }, query: { period: before.period, asOf, size: 3 } })
    ).rows.map(({ subject }) => subject);
  const sample = await sampleOf(before.asOf);

  await call(createPolicy, {
    body: {
      name: 'Two approvals',
      kind: 'merge',
      mode: 'observe',
      settings: { 'CHG-01': { approvals: 2 } },
      scope: { repositories: null, branches: [], tools: [] },
    },
  });
  const { rows: people } = await call(listMembers, { query: { perPage: 100 } });
  for (const { user_id, role } of people)
    if (role?.id === 'rol_contributor') await call(deactivateMember, { params: { userId: user_id ?? '' } });
  // Backdates both changes: facts recorded after a checkpoint do not count for it, regardless of their stated time.
  const superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  await superuser.query(`update control_setting set valid_from = valid_from - interval '1 hour' where org_id = $1`, [
    org.id,
  ]);
  await superuser.query(
    `update member_change set at = at - interval '1 hour' where org_id = $1 and status = 'deactivated'`,
    [org.id],
  );
  await superuser.end();
  await reportChanges(history, 3);

  const now = await evaluateControl(history, 'CHG-01');
  expect(now).toMatchObject({ status: 'failing', rows: { length: 8 } });
  const again = await evaluateControl(history, 'CHG-01', before.period, before.asOf);
  expect(again).toEqual(before);
  expect(await sampleOf(before.asOf)).toEqual(sample);
  const { result } = await call(getControl, {
    params: { id: 'CHG-01' },
    query: { period: before.period, asOf: before.asOf },
  });
  expect(result?.counts).toMatchObject({ population: 5, pass: 5 });
});
