import { listAudit } from '@sightline/contract/organization/audit.ts';
import { getFinding, listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { dismissFindings, reopenFindings } from '@sightline/contract/vulnerabilities/triage.ts';
import { decideWaiver, requestFindingWaivers } from '@sightline/contract/vulnerabilities/waivers.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import {
  createScanResult,
  createTestFinding,
  createTestRepository,
  createTestScanner,
  makeTestCommitter,
} from '#testing/findings.ts';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';

let server: TestServer;
let org: TestOrganization;
let reviewer: TestAccount;
let contributor: TestAccount;
let repositoryId: string;

beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
  reviewer = await server.make.member(org.id, 'rol_reviewer');
  contributor = await server.make.member(org.id, 'rol_contributor');
  repositoryId = await createTestRepository(server, org);
  await makeTestCommitter(server, org, contributor, repositoryId);
});
afterAll(() => server.close());

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** Creates a finding in the repository, or in another one. */
const createFinding = (inRepository = repositoryId) => createTestFinding(server, org, inRepository);

const as = (account: TestAccount) => server.as(account, org.id);
const detail = (findingId: string, account = org.owner) => as(account)(getFinding, { params: { findingId } });

const auditOf = async (id: string) =>
  (await as(org.owner)(listAudit, { query: { subject: `finding:${id}` } as never })).entries;

describe('dismissing', () => {
  test('allows the reasons rotated and revoked only for secrets', async () => {
    const id = await createFinding();
    const { send, findings } = await createTestScanner(server, org, repositoryId);
    await send([createScanResult({ ruleId: 'token', title: 'A token', category: 'secret' })], { category: 'secrets' });
    const secret = (await findings()).find(({ title }) => title === 'A token')?.id ?? '';
    expect(await as(org.owner)(dismissFindings, { body: { ids: [id, secret], reason: 'rotated' } })).toEqual({
      changed: [secret],
      skipped: [{ id, reason: 'It is not a secret, so it cannot be rotated or revoked.' }],
    });
    expect((await detail(secret)).dismissal?.reason).toBe('Replaced by another secret');
  });

  test('records actor, reason and time, and is reverted by reopening', async () => {
    const id = await createFinding();
    const body = { ids: [id], reason: 'false_positive' as const, comment: 'The input is a constant.' };
    expect(await as(org.owner)(dismissFindings, { body })).toEqual({ changed: [id], skipped: [] });
    const dismissed = await detail(id);
    expect(dismissed).toMatchObject({
      status: 'dismissed',
      dismissal: {
        reason: 'False positive',
        comment: 'The input is a constant.',
        by: { kind: 'account', id: org.owner.id, name: 'Olga Owner' },
      },
      allowed: { dismiss: false, reopen: true, requestWaiver: false },
    });
    expect(dismissed.history[0]).toMatchObject({
      kind: 'dismissed',
      phrase: 'dismissed it: False positive',
      comment: 'The input is a constant.',
      actor: { kind: 'account', name: 'Olga Owner' },
    });
    expect(await as(org.owner)(dismissFindings, { body })).toEqual({
      changed: [],
      skipped: [{ id, reason: 'It is already dismissed.' }],
    });
    const listed = await as(org.owner)(listFindings, { query: { repository: [repositoryId], status: ['dismissed'] } });
    expect(listed.rows.map((row) => row.id)).toContain(id);

    expect(await as(org.owner)(reopenFindings, { body: { ids: [id] } })).toEqual({ changed: [id], skipped: [] });
    expect(await detail(id)).toMatchObject({ status: 'open', dismissal: null, allowed: { reopen: false } });
    expect((await as(org.owner)(reopenFindings, { body: { ids: [id] } })).skipped).toEqual([
      { id, reason: 'It is already open.' },
    ]);
  });

  test('processes many findings individually, skips others with a reason, and counts none twice', async () => {
    const [open, dismissed, waived] = [await createFinding(), await createFinding(), await createFinding()];
    await as(org.owner)(dismissFindings, { body: { ids: [dismissed], reason: 'mitigated' } });
    const body = { ids: [waived], until: day(30), reason: 'We replace it in spring.' };
    await as(org.owner)(requestFindingWaivers, { body });
    const params = { waiverId: (await detail(waived)).waivers[0]?.id ?? '' };
    await as(reviewer)(decideWaiver, { params, body: { approve: true } });
    const unknownId = newId();
    const ids = [open, open, dismissed, waived, unknownId];
    const outcome = await as(org.owner)(dismissFindings, { body: { ids, reason: 'will_not_fix' } });
    expect(outcome.changed).toEqual([open]);
    expect(outcome.skipped.map(({ id }) => id)).toEqual([dismissed, waived, unknownId]);
    expect(outcome.skipped.map(({ reason }) => reason)).toEqual([
      'It is already dismissed.',
      expect.stringMatching(/^It is waived until \d+ \w+ \d{4}\. Reopen it first\.$/),
      'Vulnerability not found.',
    ]);
    const { recounted } = await createTestScanner(server, org, repositoryId);
    const { kept, counted } = await recounted();
    expect(kept).toEqual(counted);
  });

  test('accepts up to 500 findings at once', { tags: ['full'] }, async () => {
    const repository = await createTestRepository(server, org);
    const { send, findings, recounted } = await createTestScanner(server, org, repository);
    await send(
      Array.from({ length: 501 }, (_, line) => createScanResult({ path: `src/${line}.ts`, line, content: `${line}` })),
    );
    const ids = (await findings()).map(({ id }) => id);
    const refused = as(org.owner)(dismissFindings, { body: { ids, reason: 'used_in_tests' } });
    expect(await refusalOf(refused)).toEqual({ status: 400, code: 'validation_failed' });
    const outcome = await as(org.owner)(dismissFindings, { body: { ids: ids.slice(1), reason: 'used_in_tests' } });
    expect(outcome.changed).toHaveLength(500);
    const { kept, counted } = await recounted();
    expect(kept).toEqual(counted);
    expect(counted.open).toBe(1);
  });

  test('is denied to contributors, auditors, reviewers and other organizations', async () => {
    const id = await createFinding();
    const auditor = await server.make.member(org.id, 'rol_auditor');
    for (const account of [contributor, auditor, reviewer]) {
      const [dismissed, reopened] = await Promise.all([
        refusalOf(as(account)(dismissFindings, { body: { ids: [id], reason: 'mitigated' } })),
        refusalOf(as(account)(reopenFindings, { body: { ids: [id] } })),
      ]);
      expect([dismissed, reopened]).toEqual(Array(2).fill({ status: 403, code: 'forbidden' }));
    }
    await expect(as(contributor)(dismissFindings, { body: { ids: [id], reason: 'mitigated' } })).rejects.toMatchObject({
      body: { message: 'Your role can only request waivers. To triage vulnerabilities, ask an Account Owner.' },
    });
    const other = await server.make.organization('Other');
    const foreign = server.as(other.owner, other.id)(dismissFindings, { body: { ids: [id], reason: 'mitigated' } });
    expect(await refusalOf(foreign)).toEqual({ status: 404, code: 'not_found' });
    expect((await detail(id)).status).toBe('open');
  });

  test('skips a fixed finding', async () => {
    const { send, findings } = await createTestScanner(server, org);
    await send([createScanResult()]);
    await send([]);
    const [fixed] = await findings();
    const id = fixed?.id ?? '';
    const body = { ids: [id], reason: 'mitigated' as const };
    expect((await as(org.owner)(dismissFindings, { body })).skipped).toEqual([
      { id, reason: 'It is fixed: no scanner reports it.' },
    ]);
    const request = { ids: [id], until: day(3), reason: 'It is gone soon.' };
    expect((await as(org.owner)(requestFindingWaivers, { body: request })).changed).toEqual([]);
    expect((await as(org.owner)(reopenFindings, { body: { ids: [id] } })).changed).toEqual([]);
  });

  test('writes an audit entry whose permanent part excludes the comment', async () => {
    const id = await createFinding();
    const body = { ids: [id], reason: 'not_exploitable' as const, comment: 'Ask Ada Byron.' };
    await as(org.owner)(dismissFindings, { body });
    const [entry] = await auditOf(id);
    expect(entry).toMatchObject({ action: 'finding.dismissed', subject: { kind: 'finding', id } });
    expect(entry?.sentence.map(({ text }) => text).join(' ')).toMatch(
      /^dismissed rule [0-9a-f-]+ in acme\/api-\w+ as not exploitable here$/,
    );
    const { rows } = await server.services.database.withOrg(org.id, async (tx) => ({
      rows: await tx.db.selectFrom('ledger_known').select('entry').where('org_id', '=', org.id).execute(),
    }));
    expect(rows.filter(({ entry: text }) => text?.includes('Ada Byron'))).toEqual([]);
  });
});

describe('a scanner suppression', () => {
  const suppressed = {
    state: 'suppressed' as const,
    suppressed: { reason: 'Not exploitable', comment: 'By the team' },
  };

  test('dismisses the finding in the name of the scanner, and member decisions take precedence', async () => {
    const { send, findings } = await createTestScanner(server, org);
    await send([createScanResult(suppressed)]);
    const id = (await findings())[0]?.id ?? '';
    expect(await detail(id)).toMatchObject({
      status: 'dismissed',
      dismissal: { reason: 'Not exploitable', by: { kind: 'scanner', id: 'codeql', name: 'CodeQL' } },
      allowed: { reopen: true, dismiss: true },
    });
    await as(org.owner)(reopenFindings, { body: { ids: [id] } });
    await send([createScanResult(suppressed)]);
    await send([createScanResult({ ...suppressed, line: 12 })]);
    expect((await detail(id)).status).toBe('open');
    // The suppression applies again without a decision of a member.
    await as(org.owner)(dismissFindings, { body: { ids: [id], reason: 'mitigated' } });
    await send([createScanResult({ line: 12 })]);
    expect((await detail(id)).status).toBe('dismissed');
    await as(org.owner)(reopenFindings, { body: { ids: [id] } });
    expect((await detail(id)).status).toBe('open');
    await send([createScanResult({ ...suppressed, line: 12 })]);
    expect((await detail(id)).status).toBe('dismissed');
  });
});
