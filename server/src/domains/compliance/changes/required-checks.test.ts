import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sequenceAndSign } from '../../ledger/ledger/commands.ts';
import { evaluatePopulation } from '../controls/evaluate-population.ts';
import { startWorld } from './changes.fixture.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
}, 120_000);
afterAll(() => world.close());

const day = 24 * 60 * 60_000;
const rules = {
  requiredReviews: 1,
  dismissesStale: true,
  allowsForcePush: false,
  allowsDeletion: false,
  includesAdmins: true,
};

/** Sets the branch protection, and waits until a snapshot contains its required checks. */
async function protect(requiredChecks: string[], checkApps?: Record<string, number>): Promise<void> {
  await world.control('protect', { rules: { ...rules, requiredChecks, checkApps } });
  await vi.waitFor(
    async () => {
      const [snapshot] = await world.rowsOf<{ at: Date; checks: string[]; apps: object[] }>(
        `select captured_at as at, rules #> '{requiredChecks,value}' as checks, rules #> '{requiredApps,value}' as apps
         from protection_snapshot
         where org_id = $1 order by captured_at desc, id desc limit 1`,
      );
      expect(snapshot?.checks).toEqual(requiredChecks);
      expect(snapshot?.apps).toHaveLength(Object.keys(checkApps ?? {}).length);
      // The host reports times in seconds: a merge in the second of the snapshot would seem to precede it.
      expect(Date.now()).toBeGreaterThan(Number(snapshot?.at) + 1_000);
    },
    { timeout: 60_000, interval: 200 },
  );
}

/** Merges a branch, and returns the verdict of CHG-05. Undefined: it is not in the population. */
async function mergeOf(branch: string): Promise<string | undefined> {
  const number = world.numberOf(branch);
  await world.control('merge', { number, by: 'ada' });
  const record = await world.recordOf(number);
  const orgId = world.acme.id;
  const checkpoint = await sequenceAndSign(world.server.services.ledger, orgId);
  if (!checkpoint) throw new Error('The ledger has no entries');
  const { epoch, size, signedAt } = checkpoint;
  const [from = '', to = ''] = [-1, 1].map((days) => new Date(Date.now() + days * day).toISOString());
  const query = { orgId, period: { from, to }, asOf: { epoch, size, at: signedAt.toISOString() } };
  const { run } = await world.inAcme((tx) => evaluatePopulation(tx, query, 'CHG-05'));
  const row = run.rows.find(({ subject }) => subject === `change:${record.id}`);
  return row && [row.verdict, ...row.reasons].join(' ');
}

const headOf = (branch: string): string => world.story.git(['rev-parse', branch]);

test('fails a merge whose required check only another app reported', async () => {
  await protect(['build'], { build: 999 });
  await world.control('check', { sha: headOf('one'), name: 'build', app: 1000 });
  expect(await mergeOf('one')).toBe('fail required_check_by_other_app');
}, 120_000);

test('fails a merge whose required check was skipped', { tags: 'full', timeout: 120_000 }, async () => {
  await protect(['build'], { build: 999 });
  await world.control('check', { sha: headOf('two'), name: 'build', app: 999, conclusion: 'skipped' });
  expect(await mergeOf('two')).toBe('fail required_check_failed');
});

test('fails a merge while the required checks were off, although no check was required', {
  tags: ['full'],
  timeout: 120_000,
}, async () => {
  await protect(['build']);
  await protect([]);
  expect(await mergeOf('three')).toBe('fail required_check_disabled');
});
