import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScannerResult } from '#providers/scanner.ts';
import { createScanResult, createTestScanner } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { lockFindingsOf, recomputeFindings } from './status.ts';

let server: TestServer;
let org: TestOrganization;

beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
});
afterAll(() => server.close());

const refs = ['refs/heads/main', 'refs/heads/next'];
const tools = [
  { key: 'codeql', name: 'CodeQL', version: null },
  { key: 'semgrep', name: 'Semgrep', version: null },
];

/** Few files, rules, contents and lines, so that results often match. */
const result: fc.Arbitrary<ScannerResult> = fc
  .record({
    path: fc.constantFrom('a.ts', 'b.ts', 'lib/a.ts', null),
    ruleId: fc.constantFrom('one', 'two'),
    content: fc.constantFrom('x', 'y', null),
    line: fc.constantFrom(1, 3, 8, 9, 30),
    state: fc.constantFrom('open' as const, 'open' as const, 'open' as const, 'suppressed' as const, 'fixed' as const),
    severity: fc.constantFrom('high' as const, 'low' as const),
    cwes: fc.constantFrom([89], [79], []),
  })
  .map(createScanResult);

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('scan' as const),
      ref: fc.constantFrom(...refs),
      tool: fc.constantFrom(...tools),
      complete: fc.constantFrom(true, true, true, false),
      isUpload: fc.boolean(),
      results: fc.array(result, { maxLength: 12 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('decision' as const),
      which: fc.nat(),
      decided: fc.constantFrom('open' as const, 'dismissed' as const, 'exception' as const, null),
    }),
  },
);

test('computes correct counts, statuses and instances for any sequence of scans and decisions', {
  tags: 'full',
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      const scanner = await createTestScanner(server, org);
      for (const action of steps) {
        if (action.kind === 'decision') await decide(scanner, action.which, action.decided);
        else await scan(scanner, action);
        await check(scanner);
      }
    }),
    { numRuns: 10, endOnFailure: true },
  );
});

test('marks no other finding as fixed when a partial scan is imported twice', async () => {
  const scanner = await createTestScanner(server, org);
  const at = (line: number, state: ScannerResult['state'] = 'open') =>
    createScanResult({ ruleId: 'one', path: 'a.ts', line, content: 'x', state });
  const [ref = '', tool] = [refs[0], tools[0]];
  if (!tool) throw new Error('no scanner');
  await scanner.send([at(9), at(30)], { ref, tool, complete: true });
  const partial = () => scanner.send([at(9, 'fixed')], { ref, tool, complete: false });
  expect((await partial()).counts).toMatchObject({ fixed: 1 });
  expect((await partial()).counts).toMatchObject({ fixed: 0 });
});

type Scanner = Awaited<ReturnType<typeof createTestScanner>>;

async function decide({ findings }: Scanner, which: number, decided: 'open' | 'dismissed' | 'exception' | null) {
  const all = await findings();
  const { id } = all[which % Math.max(1, all.length)] ?? {};
  if (id === undefined) return;
  await server.services.database.withOrg(org.id, async (tx) => {
    await lockFindingsOf(tx, org.id, [id]);
    await tx.db.updateTable('finding').set({ decided }).where('org_id', '=', org.id).where('id', '=', id).execute();
    await recomputeFindings(tx, org.id, [id]);
  });
}

async function scan(
  { send: sendResults, upload, instances, findings }: Scanner,
  {
    ref,
    tool,
    complete,
    isUpload,
    results,
  }: { ref: string; tool: (typeof tools)[number]; complete: boolean; isUpload: boolean; results: ScannerResult[] },
) {
  const send = isUpload ? upload : sendResults;
  const decided = new Map((await findings()).map((finding) => [finding.id, finding.decided]));
  const { counts } = await send(results, { ref, tool, complete });
  const here = results.filter(({ state }) => state !== 'fixed').length;
  expect((counts.new ?? 0) + (counts.unchanged ?? 0) + (counts.reopened ?? 0)).toBe(here);
  const current = (await instances()).filter(
    (one) => one.ref === ref && one.tool === tool.key && one.state !== 'fixed',
  );
  if (complete) expect(current).toHaveLength(here);
  // Another import of the same results changes nothing.
  expect((await send(results, { ref, tool, complete })).counts).toMatchObject({
    new: 0,
    fixed: 0,
    reopened: 0,
    unchanged: here,
  });
  for (const finding of await findings()) {
    if (decided.has(finding.id)) expect(finding.decided).toBe(decided.get(finding.id));
  }
}

/** Checks the state with an independent computation. */
async function check({ findings, instances, sources, recounted }: Scanner) {
  const { kept, counted } = await recounted();
  expect(kept).toEqual(counted);
  const all = await instances();
  const known = await sources();
  for (const { id, status, decided, tools: shown } of await findings()) {
    const instancesOfFinding = all.filter((instance) => instance.finding_id === id);
    const states = instancesOfFinding.map(({ state }) => state);
    expect(states.length).toBeGreaterThan(0);
    const byScanners = states.includes('open') ? 'open' : 'dismissed';
    expect(status).toBe(states.every((state) => state === 'fixed') ? 'fixed' : (decided ?? byScanners));
    const current = instancesOfFinding.filter(({ state }) => state !== 'fixed');
    const seen = new Set((current.length > 0 ? current : instancesOfFinding).map(({ fingerprint }) => fingerprint));
    const expectedTools = known.filter((source) => seen.has(source.fingerprint)).map(({ tool }) => tool);
    expect(shown).toEqual([...new Set(expectedTools)].sort());
  }
  const orphans = all.filter(
    ({ fingerprint, finding_id }) =>
      !known.some((source) => source.fingerprint === fingerprint && source.finding_id === finding_id),
  );
  expect(orphans).toEqual([]);
}
