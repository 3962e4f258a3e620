import { getReadiness, listControls } from '@sightline/contract/compliance/control-runs.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { parsePeriod, quarterOf } from '@sightline/contract/core/periods.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

let server: TestServer;
let org: TestOrganization;
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
});
afterAll(() => server.close());

const call = () => server.as(org.owner, org.id);
const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000);
const dayOf = (daysAgo: number) => at(daysAgo).toISOString().slice(0, 10);

/** Stores an evaluation for the quarter of its day. */
async function store(control: ControlId, status: string, daysAgo: number, isReevaluation = false): Promise<void> {
  const period = parsePeriod(quarterOf(at(daysAgo)));
  await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .insertInto('control_run')
      .values({
        org_id: org.id,
        id: newId(),
        control_id: control,
        catalog_version: '1',
        period_from: period?.from ?? '',
        period_to: period?.to ?? '',
        as_of_epoch: 1,
        as_of_size: 1,
        population: 1,
        pass: 1,
        fail: 0,
        waived: 0,
        missing_evidence: 0,
        status,
        completeness: '[]',
        exclusions: '[]',
        weakenings: '[]',
        seed: '',
        reasons: '{}',
        rows_sha256: Buffer.alloc(32),
        is_reevaluation: isReevaluation,
        entry_id: newId(),
        run_at: at(daysAgo),
      })
      .execute(),
  );
}

const pointsOf = async (framework: string, days: 30 | 90 = 30) =>
  (await call()(getReadiness, { query: { days } })).find((one) => one.framework === framework)?.points;

test('returns every framework without points before the first evaluation', async () => {
  const frameworks = await call()(getReadiness, {});
  const controls = await call()(listControls, {});
  expect(new Set(frameworks.map(({ framework }) => framework))).toEqual(
    new Set(controls.flatMap(({ crosswalk }) => crosswalk.map(({ framework }) => framework))),
  );
  expect(frameworks.every(({ points }) => points.length === 0)).toBe(true);
});

test('counts passing controls of the applicable ones by their latest result of the quarter', async () => {
  await store('VUL-01', 'failing', 1);
  await store('CHG-01', 'passing', 1);
  await store('VUL-01', 'passing', 0);
  await store('LOG-01', 'not_applicable', 0);
  await store('CHG-01', 'failing', 0, true);
  const isSameQuarter = quarterOf(at(0)) === quarterOf(at(1));
  expect(await pointsOf('SOC 2 (2017 criteria)')).toEqual([
    { day: dayOf(1), passing: 1, applicable: 2 },
    isSameQuarter ? { day: dayOf(0), passing: 2, applicable: 2 } : { day: dayOf(0), passing: 1, applicable: 1 },
  ]);
  expect(await pointsOf('SOC 2 (2017 criteria)', 90)).toHaveLength(2);
});

test('begins a quarter without the results of the previous one', async () => {
  const start = Date.parse(parsePeriod(quarterOf(new Date()))?.from ?? '');
  const daysAgo = Math.floor((Date.now() - start) / 86_400_000) + 1;
  await store('ACC-01', 'passing', daysAgo);
  const points = (await pointsOf('SOC 2 (2017 criteria)', 90)) ?? [];
  const isShown = points.some(({ day }) => day === dayOf(daysAgo));
  expect(isShown).toBe(daysAgo < 90);
  expect(points.find(({ day }) => day === dayOf(0))?.applicable).toBe(2);
});
