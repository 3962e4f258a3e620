import {
  dismissFindings,
  mergeFindings,
  reopenFindings,
  splitFinding,
} from '@sightline/contract/vulnerabilities/triage.ts';
import { decideWaiver, requestFindingWaivers } from '@sightline/contract/vulnerabilities/waivers.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Analysis } from '#providers/scanner.ts';
import { createScanResult, createTestScanner } from '#testing/findings.ts';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { expireEndedWaivers } from '../waivers/expiry.ts';
import { mergedIntoId } from './queries.ts';

let server: TestServer;
let org: TestOrganization;
let reviewer: TestAccount;
let scanner: Awaited<ReturnType<typeof createTestScanner>>;

beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
  reviewer = await server.make.member(org.id, 'rol_reviewer');
});
beforeEach(async () => {
  scanner = await createTestScanner(server, org);
});
afterAll(() => server.close());

const as = (account: TestAccount) => server.as(account, org.id);
const dismiss = (...ids: string[]) => as(org.owner)(dismissFindings, { body: { ids, reason: 'false_positive' } });
const reopen = (...ids: string[]) => as(org.owner)(reopenFindings, { body: { ids } });
const merge = (findingId: string, ...ids: string[]) =>
  as(org.owner)(mergeFindings, { params: { findingId }, body: { ids } });
const split = (findingId: string, ...sources: string[]) =>
  as(org.owner)(splitFinding, { params: { findingId }, body: { sources } });

/** Waives a finding for a day. */
async function waive(id: string): Promise<void> {
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await as(org.owner)(requestFindingWaivers, { body: { ids: [id], until, reason: 'Soon gone.' } });
  const { id: waiverId } = await inOrg(({ db }) =>
    db
      .selectFrom('finding_waiver')
      .select('id')
      .where('org_id', '=', org.id)
      .where('finding_id', '=', id)
      .where('state', '=', 'requested')
      .executeTakeFirstOrThrow(),
  );
  await as(reviewer)(decideWaiver, { params: { waiverId }, body: { approve: true } as never });
}

const inOrg: <R>(work: Parameters<typeof server.services.database.withOrg<R>>[1]) => Promise<R> = (work) =>
  server.services.database.withOrg(org.id, work);

/** Moves the waivers of a finding back by a day and runs the expiry. */
async function passTime(id: string): Promise<void> {
  await inOrg(({ db }) =>
    db
      .updateTable('finding_waiver')
      .set({ valid_until: new Date(Date.now() - 1000) })
      .where('org_id', '=', org.id)
      .where('finding_id', '=', id)
      .execute(),
  );
  await inOrg((tx) => expireEndedWaivers(server.services, tx, org.id));
}

const statuses = async () => Object.fromEntries((await scanner.findings()).map(({ id, status }) => [id, status]));
const idAt = async (path: string): Promise<string> => {
  const found = (await scanner.findings()).find((finding) => finding.path === path);
  if (!found) throw new Error(`nothing at ${path}`);
  return found.id;
};
const isExact = async () => {
  const { kept, counted } = await scanner.recounted();
  expect(kept).toEqual(counted);
};

const a = createScanResult({ path: 'src/a.ts', content: 'a' });
const b = createScanResult({ path: 'src/b.ts', content: 'b' });
const c = createScanResult({ path: 'src/c.ts', content: 'c' });
const trivy: Partial<Analysis> = { tool: { key: 'trivy', name: 'Trivy', version: '1' } };

describe('triage decisions persist', () => {
  const later: [string, Parameters<typeof scanner.send>[]][] = [
    ['the same scan again', [[[a, b, c]]]],
    ['a newer version of the scanner', [[[a, b, c], { tool: { key: 'codeql', name: 'CodeQL', version: '3.0.0' } }]]],
    [
      'lines above it',
      [[[a, b, c].map((result) => ({ ...result, line: 90, message: 'Other words.', severity: 'critical' as const }))]],
    ],
    ['a rename of its file', [[[a, b, c].map((result) => ({ ...result, path: `lib/${result.path}` }))]]],
    ['a scan that does not report it, and one that does', [[[]], [[a, b, c]]]],
    ['another branch', [[[a, b, c], { ref: 'refs/heads/next' }]]],
    ['another scanner at the same location', [[[a, b, c].map((result) => ({ ...result, ruleId: 'sqli' })), trivy]]],
  ];

  test.each(later)('through %s', async (_, scans) => {
    await scanner.send([a, b, c]);
    const [dismissed, waived, open] = [await idAt('src/a.ts'), await idAt('src/b.ts'), await idAt('src/c.ts')];
    await dismiss(dismissed);
    await waive(waived);
    for (const [results, over] of scans) await scanner.send(results, over);
    expect(await statuses()).toEqual({ [dismissed]: 'dismissed', [waived]: 'exception', [open]: 'open' });
    await isExact();
  });

  test('while no scanner reports the finding, which becomes fixed and returns with its decision', async () => {
    await scanner.send([a, b]);
    const [dismissed, waived] = [await idAt('src/a.ts'), await idAt('src/b.ts')];
    await dismiss(dismissed);
    await waive(waived);
    await scanner.send([]);
    expect(await statuses()).toEqual({ [dismissed]: 'fixed', [waived]: 'fixed' });
    await passTime(waived);
    expect(await statuses()).toEqual({ [dismissed]: 'fixed', [waived]: 'fixed' });
    await scanner.send([a, b]);
    expect(await statuses()).toEqual({ [dismissed]: 'dismissed', [waived]: 'open' });
    await isExact();
  });
});

describe('expiry of a waiver', () => {
  test('reopens a waived finding once', async () => {
    await scanner.send([a]);
    const id = await idAt('src/a.ts');
    await waive(id);
    await passTime(id);
    expect(await statuses()).toEqual({ [id]: 'open' });
    await inOrg((tx) => expireEndedWaivers(server.services, tx, org.id));
    const decisions = await inOrg(({ db }) =>
      db
        .selectFrom('finding_decision')
        .select(['kind', 'account_id'])
        .where('org_id', '=', org.id)
        .where('finding_id', '=', id)
        .where('kind', '=', 'waiver_expired')
        .execute(),
    );
    expect(decisions).toEqual([{ kind: 'waiver_expired', account_id: null }]);
    await isExact();
  });

  test('ends an undecided request and allows another', async () => {
    await scanner.send([a]);
    const id = await idAt('src/a.ts');
    const body = { ids: [id], until: new Date(Date.now() + 60_000).toISOString(), reason: 'It is needed for now' };
    await as(org.owner)(requestFindingWaivers, { body });
    await passTime(id);
    expect(await statuses()).toEqual({ [id]: 'open' });
    expect((await as(org.owner)(requestFindingWaivers, { body })).changed).toEqual([id]);
  });

  test('leaves a finding dismissed in the meantime unchanged', async () => {
    await scanner.send([a]);
    const id = await idAt('src/a.ts');
    await waive(id);
    await reopen(id);
    await dismiss(id);
    await passTime(id);
    expect(await statuses()).toEqual({ [id]: 'dismissed' });
  });
});

describe('merging', () => {
  test('combines findings, also for later scans, and redirects from the old address', async () => {
    await scanner.send([a, b, c]);
    const [into, other] = [await idAt('src/a.ts'), await idAt('src/b.ts')];
    await dismiss(other);
    await merge(into, other);
    const expected = { [into]: 'open', [await idAt('src/c.ts')]: 'open' };
    expect(await statuses()).toEqual(expected);
    expect(await inOrg((tx) => mergedIntoId(tx, org.id, other))).toBe(into);
    await scanner.send([a, b, c]);
    expect(await statuses()).toEqual(expected);
    await scanner.send([a, b, c].map((result) => ({ ...result, path: `lib/${result.path}` })));
    expect(await statuses()).toEqual(expected);
    // It is fixed when none of its sources is reported any more.
    const moved = [b, c].map((result) => ({ ...result, path: `lib/${result.path}` }));
    await scanner.send(moved);
    expect((await statuses())[into]).toBe('open');
    await scanner.send(moved.slice(1));
    expect((await statuses())[into]).toBe('fixed');
    await isExact();
    expect(await refusalOf(merge(into, other))).toEqual({ status: 409, code: 'conflict' });
  });

  test('resolves a chain of merges to the last finding', async () => {
    await scanner.send([a, b, c]);
    const [first, second, third] = [await idAt('src/a.ts'), await idAt('src/b.ts'), await idAt('src/c.ts')];
    await merge(second, first);
    await merge(third, second);
    expect(await inOrg((tx) => mergedIntoId(tx, org.id, first))).toBe(third);
    expect(await statuses()).toEqual({ [third]: 'open' });
    await isExact();
  });

  test('is rejected with itself, across repositories, for contributors, and for unknown findings', async () => {
    await scanner.send([a]);
    const id = await idAt('src/a.ts');
    const elsewhere = await createTestScanner(server, org);
    await elsewhere.send([b]);
    const [foreign] = await elsewhere.findings();
    expect((await refusalOf(merge(id, id))).status).toBe(400);
    expect((await refusalOf(merge(id, foreign?.id ?? ''))).status).toBe(400);
    expect((await refusalOf(merge(id, scanner.repositoryId))).status).toBe(404);
    const contributor = await server.make.member(org.id, 'rol_contributor');
    const call = as(contributor)(mergeFindings, { params: { findingId: id }, body: { ids: [foreign?.id ?? ''] } });
    expect((await refusalOf(call)).status).toBe(403);
  });
});

describe('splitting', () => {
  test('restores a merged finding under its address as open, and later scans keep it separate', async () => {
    await scanner.send([a, b]);
    const [into, other] = [await idAt('src/a.ts'), await idAt('src/b.ts')];
    await merge(into, other);
    const source = (await scanner.sources()).find(({ reason }) => reason === 'merged_manually');
    expect(await split(into, source?.fingerprint ?? '')).toEqual({ id: other });
    expect(await statuses()).toEqual({ [into]: 'open', [other]: 'open' });
    expect(await inOrg((tx) => mergedIntoId(tx, org.id, other))).toBeUndefined();
    await scanner.send([a, b]);
    expect(await statuses()).toEqual({ [into]: 'open', [other]: 'open' });
    await isExact();
  });

  test('separates the results of two scanners at one location permanently', async () => {
    await scanner.send([a]);
    const seen = { ...a, ruleId: 'sqli', content: 'other' };
    await scanner.send([seen], trivy);
    const [one] = await scanner.findings();
    expect(one?.tools).toEqual(['codeql', 'trivy']);
    const source = (await scanner.sources()).find(({ tool }) => tool === 'trivy');
    await dismiss(one?.id ?? '');
    const { id } = await split(one?.id ?? '', source?.fingerprint ?? '');
    const apart = { [one?.id ?? '']: 'dismissed', [id]: 'open' };
    expect(await statuses()).toEqual(apart);
    await scanner.send([seen], trivy);
    await scanner.send([a]);
    expect(await statuses()).toEqual(apart);
    // On another branch, after a rename, and when the scanner reports other content.
    await scanner.send([seen], { ...trivy, ref: 'refs/heads/next' });
    await scanner.send([{ ...seen, path: 'lib/a.ts' }], trivy);
    await scanner.send([{ ...a, path: 'lib/a.ts' }]);
    expect(await statuses()).toEqual(apart);
    await scanner.send([], trivy);
    await scanner.send([{ ...seen, path: 'lib/a.ts', content: 'a third' }], trivy);
    const tools = (await scanner.findings()).map((finding) => finding.tools);
    expect(tools.every((names) => names.length === 1)).toBe(true);
    await isExact();
  });

  test('includes the sources from before a file rename', async () => {
    await scanner.send([a, b]);
    const [into, other] = [await idAt('src/a.ts'), await idAt('src/b.ts')];
    await scanner.send([a, b].map((result) => ({ ...result, path: `lib/${result.path}` })));
    await scanner.send([a, b]);
    await merge(into, other);
    const source = (await scanner.instances()).find(({ path, state }) => path === 'src/b.ts' && state === 'open');
    expect(await split(into, source?.fingerprint ?? '')).toEqual({ id: other });
    const by = Object.groupBy(await scanner.sources(), ({ finding_id }) => finding_id);
    expect([by[into]?.length, by[other]?.length]).toEqual([2, 2]);
    await scanner.send([a, b].map((result) => ({ ...result, path: `lib/${result.path}` })));
    expect(await statuses()).toEqual({ [into]: 'open', [other]: 'open' });
    await isExact();
  });

  test('keeps at least one source and rejects unknown sources', async () => {
    await scanner.send([a, b]);
    const [into, other] = [await idAt('src/a.ts'), await idAt('src/b.ts')];
    const [only] = await scanner.sources();
    expect((await refusalOf(split(into, only?.fingerprint ?? ''))).status).toBe(409);
    await merge(into, other);
    const all = (await scanner.sources()).map(({ fingerprint }) => fingerprint);
    expect((await refusalOf(split(into, ...all))).status).toBe(409);
    expect((await refusalOf(split(into, scanner.repositoryId))).status).toBe(404);
    expect(await statuses()).toEqual({ [into]: 'open' });
  });
});

describe('any sequence of triage actions and scans', () => {
  const results = Array.from({ length: 6 }, (_, index) =>
    createScanResult({
      ruleId: `rule-${index % 2}`,
      path: `src/${index % 3}.ts`,
      line: index * 20,
      content: `content ${index}`,
    }),
  );
  const step = fc.record({
    what: fc.constantFrom('scan', 'scan', 'dismiss', 'reopen', 'accept', 'expire', 'merge', 'split'),
    seen: fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 6 }),
    suppressed: fc.boolean(),
    other: fc.boolean(),
    one: fc.nat({ max: 5 }),
    two: fc.nat({ max: 5 }),
  });

  type TriageStep = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  async function perform({ what, one, two, ...scan }: TriageStep): Promise<void> {
    const all = await scanner.findings();
    const pick = (index: number) => all[index % all.length]?.id ?? '';
    switch (what) {
      case 'scan':
        return rescan(scan);
      case 'dismiss':
        return void (await dismiss(pick(one)));
      case 'reopen':
        return void (await reopen(pick(one)));
      case 'accept':
        return all[one % all.length]?.status === 'open' ? waive(pick(one)) : undefined;
      case 'expire':
        return void (await passTime(pick(one)));
      case 'merge':
        return pick(one) === pick(two) ? undefined : void (await merge(pick(one), pick(two)));
      case 'split':
        return splitOff(pick(one), two);
    }
  }

  async function rescan({ seen, suppressed, other }: Pick<TriageStep, 'seen' | 'suppressed' | 'other'>): Promise<void> {
    const reported = seen.flatMap((index) => results[index] ?? []);
    const state = suppressed ? { state: 'suppressed' as const, suppressed: { reason: 'x', comment: '' } } : {};
    await scanner.send(
      reported.map((result) => ({ ...result, ...state })),
      other ? trivy : {},
    );
  }

  /** Splits one of several sources off a finding. */
  async function splitOff(findingId: string, index: number): Promise<void> {
    const sources = (await scanner.sources()).filter(({ finding_id }) => finding_id === findingId);
    if (sources.length > 1) await split(findingId, sources[index % sources.length]?.fingerprint ?? '');
  }

  async function expectDecisionsAndSourcesKept(): Promise<void> {
    const findings = await scanner.findings();
    for (const { status, decided } of findings) {
      if (status !== 'fixed' && decided !== null) expect(status).toBe(decided);
    }
    const known = new Set(findings.map(({ id }) => id));
    for (const { finding_id } of await scanner.sources()) expect(known.has(finding_id)).toBe(true);
    for (const { finding_id } of await scanner.instances()) expect(known.has(finding_id)).toBe(true);
  }

  test('keeps counts exact, loses no source, and preserves each decision until it is reverted', {
    tags: 'full',
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        scanner = await createTestScanner(server, org);
        await scanner.send(results);
        for (const one of steps) {
          await perform(one);
          await isExact();
          await expectDecisionsAndSourcesKept();
        }
      }),
      { numRuns: 12, interruptAfterTimeLimit: 90_000 },
    );
  });
});
