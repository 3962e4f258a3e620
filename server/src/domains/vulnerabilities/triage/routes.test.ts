import { listAudit } from '@sightline/contract/organization/audit.ts';
import { changeMemberRole } from '@sightline/contract/organization/members.ts';
import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { getFinding, listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import {
  decideFindingWaiver,
  dismissFindings,
  listFindingWaivers,
  reopenFindings,
  requestFindingWaivers,
  withdrawFindingWaiver,
} from '@sightline/contract/vulnerabilities/triage.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createScanResult, createTestRepository, createTestScanner } from '#testing/findings.ts';
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
  await makeCommitter(contributor, repositoryId);
});
afterAll(() => server.close());

/** Makes an account a committer of a repository. */
const makeCommitter = (account: TestAccount, repository: string) =>
  server.services.database.withOrg(org.id, async (tx) => {
    const { person_id } = await tx.db
      .selectFrom('identity')
      .select('person_id')
      .where('org_id', '=', org.id)
      .where('value', '=', account.id)
      .executeTakeFirstOrThrow();
    const by = { name: account.name, email: account.email, commits: 1, last_commit: new Date() };
    await tx.db
      .insertInto('contributor')
      .values({ org_id: org.id, repository_id: repository, person_id, ...by })
      .execute();
  });

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** Creates a finding in the repository, or in another one. */
async function createFinding(inRepository = repositoryId): Promise<string> {
  const { send, findings } = await createTestScanner(server, org, inRepository);
  const title = `rule ${newId()}`;
  await send([createScanResult({ ruleId: title, title, path: `src/${newId()}.ts` })], { category: title });
  const one = (await findings()).find((finding) => finding.title === title);
  if (!one) throw new Error('nothing found');
  return one.id;
}

const as = (account: TestAccount) => server.as(account, org.id);
const detail = (findingId: string, account = org.owner) => as(account)(getFinding, { params: { findingId } });

/** Creates a finding with a waiver request by `account`. */
async function requestWaiver(account: TestAccount, days = 30): Promise<{ findingId: string; exceptionId: string }> {
  const findingId = await createFinding();
  const body = { ids: [findingId], until: day(days), comment: 'We replace it in spring.' };
  expect((await as(account)(requestFindingWaivers, { body })).changed).toEqual([findingId]);
  const [exception] = (await detail(findingId)).exceptions;
  if (!exception) throw new Error('nothing asked');
  return { findingId, exceptionId: exception.id };
}

const decide = (account: TestAccount, params: { findingId: string; exceptionId: string }, approve = true) =>
  as(account)(decideFindingWaiver, { params, body: { approve, comment: 'I looked at it.' } });

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
      allowed: { dismiss: false, reopen: true, requestException: false },
    });
    expect(dismissed.history[0]).toMatchObject({
      kind: 'dismissed',
      says: 'dismissed it: False positive',
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
    const [open, dismissed, waived] = [
      await createFinding(),
      await createFinding(),
      (await requestWaiver(org.owner)).findingId,
    ];
    await as(org.owner)(dismissFindings, { body: { ids: [dismissed], reason: 'mitigated' } });
    const [exception] = (await detail(waived)).exceptions;
    await decide(reviewer, { findingId: waived, exceptionId: exception?.id ?? '' });
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

  test('accepts up to 500 findings at once', async () => {
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
    const exception = { ids: [id], until: day(3), comment: 'It is gone soon.' };
    expect((await as(org.owner)(requestFindingWaivers, { body: exception })).changed).toEqual([]);
    expect((await as(org.owner)(reopenFindings, { body: { ids: [id] } })).changed).toEqual([]);
  });

  test('writes an audit entry whose permanent part excludes the comment', async () => {
    const id = await createFinding();
    const body = { ids: [id], reason: 'not_exploitable' as const, comment: 'Ask Ada Byron.' };
    await as(org.owner)(dismissFindings, { body });
    const [entry] = await auditOf(id);
    expect(entry).toMatchObject({ action: 'finding.dismissed', subject: { kind: 'finding', id } });
    expect(entry?.says.map(({ text }) => text).join(' ')).toMatch(
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

describe('a waiver', () => {
  test('requires a second person, applies until its end date, and ends', async () => {
    const request = await requestWaiver(org.owner);
    const { findingId } = request;
    const waiting = await detail(findingId);
    expect(waiting).toMatchObject({
      status: 'open',
      allowed: { decideException: false, withdrawException: true, requestException: false },
    });
    expect((await detail(findingId, reviewer)).allowed).toMatchObject({ decideException: true });
    expect(await refusalOf(decide(org.owner, request))).toEqual({ status: 409, code: 'conflict' });
    await decide(reviewer, request);
    expect(await detail(findingId)).toMatchObject({
      status: 'exception',
      exception: { state: 'approved', requestedBy: { id: org.owner.id }, decidedBy: { id: reviewer.id } },
      allowed: { dismiss: false, reopen: true },
    });
    const says = (await detail(findingId)).history.slice(0, 2).map((entry) => entry.says);
    expect(says).toEqual([
      expect.stringMatching(/^approved the waiver until /),
      expect.stringMatching(/^requested a waiver until /),
    ]);
    expect((await auditOf(findingId)).map(({ action }) => action)).toEqual([
      'finding.exception_approved',
      'finding.exception_requested',
    ]);
    await as(org.owner)(reopenFindings, { body: { ids: [findingId] } });
    expect(await detail(findingId)).toMatchObject({ status: 'open', exceptions: [{ state: 'withdrawn' }] });
    const { events } = await as(org.owner)(queryEvents, { body: { query: 'kind:exception' } });
    const waiverEvents = events.filter(({ summary }) =>
      summary.parameters.some(({ data }) => data?.findingId === findingId),
    );
    expect(waiverEvents.map(({ summary }) => [summary.phrase, summary.parameters[0]?.display]).toReversed()).toEqual([
      ['{0} requested a waiver for {1} in {2} until {3}', org.owner.email],
      ['{0} approved a waiver for {1} in {2} until {3}', reviewer.email],
      ['{0} withdrew a waiver for {1} in {2} until {3}', org.owner.email],
    ]);
  });

  test('cannot be approved by its requester, even after a role change or in another session', async () => {
    const owner = await server.make.member(org.id, 'rol_owner');
    const request = await requestWaiver(owner);
    await as(org.owner)(changeMemberRole, {
      params: { userId: owner.id },
      body: { oldRole: 'rol_owner', newRole: 'rol_reviewer' },
    });
    expect(await refusalOf(decide(owner, request))).toEqual({ status: 409, code: 'conflict' });
    const session = { id: newId(), uid: newId(), account_id: owner.id, user_agent: 'Another browser' };
    await server.services.database.global(({ db }) => db.insertInto('account_session').values(session).execute());
    const token = await server.token(owner, org.id, { sid: session.id });
    const { findingId, exceptionId } = request;
    const answer = await server.app.inject({
      method: 'POST',
      url: `/api/v2/vulnerabilities/${findingId}/exceptions/${exceptionId}/decision`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload: JSON.stringify({ approve: true }),
    });
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'conflict']);
    expect((await detail(findingId)).status).toBe('open');
  });

  test('cannot be approved by the same person under another account', async () => {
    const [one, other] = [await server.make.member(org.id, 'rol_owner'), await server.make.member(org.id, 'rol_owner')];
    const request = await requestWaiver(one);
    await server.services.database.withOrg(org.id, async ({ db }) => {
      const { person_id } = await db
        .selectFrom('identity')
        .select('person_id')
        .where('org_id', '=', org.id)
        .where('value', '=', one.id)
        .executeTakeFirstOrThrow();
      await db
        .updateTable('identity')
        .set({ person_id })
        .where('org_id', '=', org.id)
        .where('value', '=', other.id)
        .execute();
    });
    server.services.memberships.forget(other.id);
    expect(await refusalOf(decide(other, request))).toEqual({ status: 409, code: 'conflict' });
  });

  test('cannot be decided by a demoted owner with a valid token', async () => {
    const owner = await server.make.member(org.id, 'rol_owner');
    const request = await requestWaiver(org.owner);
    expect((await detail(request.findingId, owner)).allowed.decideException).toBe(true);
    // Bypasses the cache of roles, as on another node: only the row in the database changes.
    await server.services.database.withOrg(org.id, ({ db }) =>
      db
        .updateTable('member')
        .set({ role_id: 'rol_auditor' })
        .where('org_id', '=', org.id)
        .where('account_id', '=', owner.id)
        .execute(),
    );
    expect(await refusalOf(decide(owner, request))).toEqual({ status: 403, code: 'forbidden' });
    const body = { ids: [request.findingId], reason: 'mitigated' as const };
    expect(await refusalOf(as(owner)(dismissFindings, { body }))).toEqual({ status: 403, code: 'forbidden' });
    expect((await detail(request.findingId)).status).toBe('open');
  });

  test('returns 409 for the second of two concurrent decisions', async () => {
    const second = await server.make.member(org.id, 'rol_reviewer');
    const request = await requestWaiver(org.owner);
    const outcomes = await Promise.all([
      refusalOf(decide(reviewer, request, true)),
      refusalOf(decide(second, request, false)),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { status, exceptions } = await detail(request.findingId);
    expect([status, exceptions[0]?.state]).toEqual(
      outcomes[0]?.status === 200 ? ['exception', 'approved'] : ['open', 'refused'],
    );
    expect(await refusalOf(decide(reviewer, request))).toEqual({ status: 409, code: 'conflict' });
  });

  test('is created once for concurrent requests', async () => {
    const id = await createFinding();
    const body = { ids: [id], until: day(10), comment: 'It is gone soon.' };
    const outcomes = await Promise.all([1, 2, 3].map(() => as(org.owner)(requestFindingWaivers, { body })));
    expect(outcomes.flatMap(({ changed }) => changed)).toEqual([id]);
    expect((await detail(id)).exceptions).toHaveLength(1);
  });

  test.each([
    ['in the past', -1],
    ['too far in the future', 181],
  ])('with an end date that is %s is rejected', async (_, days) => {
    const body = { ids: [await createFinding()], until: day(days), comment: 'It is gone soon.' };
    expect(await refusalOf(as(org.owner)(requestFindingWaivers, { body }))).toEqual({
      status: 400,
      code: 'validation_failed',
    });
  });

  test.each(['  ', 'because', `${' '.repeat(10)}because`])('requires a meaningful reason: %j', async (comment) => {
    const body = { ids: [await createFinding()], until: day(3), comment };
    expect((await refusalOf(as(org.owner)(requestFindingWaivers, { body }))).status).toBe(400);
  });

  test('can be requested and withdrawn, but not decided, by a contributor in their own repositories', async () => {
    const elsewhere = await createFinding(await createTestRepository(server, org));
    const body = { ids: [elsewhere], until: day(5), comment: 'It is gone soon.' };
    expect(await refusalOf(as(contributor)(requestFindingWaivers, { body }))).toEqual({
      status: 404,
      code: 'not_found',
    });
    const request = await requestWaiver(contributor);
    expect((await detail(request.findingId, contributor)).allowed).toEqual({
      dismiss: false,
      reopen: false,
      requestException: false,
      decideException: false,
      withdrawException: true,
      merge: false,
      split: false,
    });
    expect(await refusalOf(decide(contributor, request))).toEqual({ status: 403, code: 'forbidden' });
    expect(await refusalOf(as(org.owner)(withdrawFindingWaiver, { params: request }))).toEqual({
      status: 403,
      code: 'forbidden',
    });
    await as(contributor)(withdrawFindingWaiver, { params: request });
    expect(await refusalOf(as(contributor)(withdrawFindingWaiver, { params: request }))).toEqual({
      status: 409,
      code: 'conflict',
    });
    expect(await refusalOf(decide(reviewer, request))).toEqual({ status: 409, code: 'conflict' });
    expect((await detail(request.findingId)).exceptions).toMatchObject([{ state: 'withdrawn' }]);
  });

  test('is listed for approvers and withdrawn when the finding is dismissed', async () => {
    const request = await requestWaiver(contributor);
    const mine = await requestWaiver(org.owner);
    const list = async (account: TestAccount, query: object = {}) =>
      (await as(account)(listFindingWaivers, { query: { perPage: 100, ...query } })).rows;
    const byId = new Map((await list(org.owner)).map((row) => [row.id, row]));
    expect(byId.get(request.exceptionId)).toMatchObject({
      state: 'requested',
      requestedBy: { id: contributor.id },
      finding: { id: request.findingId, status: 'open', severity: 'high' },
      allowed: { decide: true, withdraw: false },
    });
    expect(byId.get(mine.exceptionId)?.allowed).toEqual({ decide: false, withdraw: true });
    expect((await list(contributor)).map((row) => row.id)).toContain(request.exceptionId);
    const auditor = await server.make.member(org.id, 'rol_auditor');
    expect((await list(auditor)).every(({ allowed }) => !allowed.decide && !allowed.withdraw)).toBe(true);
    const outsider = await server.make.member(org.id, 'rol_contributor');
    expect(await list(outsider)).toEqual([]);

    await as(org.owner)(dismissFindings, { body: { ids: [request.findingId], reason: 'mitigated' } });
    expect(await refusalOf(decide(reviewer, request))).toEqual({ status: 409, code: 'conflict' });
    const withdrawn = await list(org.owner, { state: ['withdrawn'] });
    expect(withdrawn.map((row) => row.id)).toContain(request.exceptionId);
  });

  test('of another organization or another finding returns 404', async () => {
    const request = await requestWaiver(org.owner);
    const other = await server.make.organization('Other');
    const body = { approve: true, comment: '' };
    const foreign = server.as(other.owner, other.id)(decideFindingWaiver, { params: request, body });
    expect(await refusalOf(foreign)).toEqual({ status: 404, code: 'not_found' });
    const mixed = decide(reviewer, { ...request, findingId: await createFinding() });
    expect(await refusalOf(mixed)).toEqual({ status: 404, code: 'not_found' });
  });
});
