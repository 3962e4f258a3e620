import { listAudit } from '@sightline/contract/organization/audit.ts';
import { changeMemberRole } from '@sightline/contract/organization/members.ts';
import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { getFinding } from '@sightline/contract/vulnerabilities/findings.ts';
import { dismissFindings, mergeFindings, reopenFindings } from '@sightline/contract/vulnerabilities/triage.ts';
import {
  decideWaiver,
  listWaivers,
  requestFindingWaivers,
  withdrawWaiver,
} from '@sightline/contract/vulnerabilities/waivers.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createTestFinding, createTestRepository, makeTestCommitter } from '#testing/findings.ts';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { setFlag } from '../../identity/flags/commands.ts';

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

interface WaiverRequest {
  findingId: string;
  waiverId: string;
}

/** Creates a finding with a waiver request by `account`. */
async function requestWaiver(account: TestAccount, days = 30): Promise<WaiverRequest> {
  const findingId = await createFinding();
  const body = { ids: [findingId], until: day(days), reason: 'We replace it in spring.' };
  expect((await as(account)(requestFindingWaivers, { body })).changed).toEqual([findingId]);
  const [waiver] = (await detail(findingId)).waivers;
  if (!waiver) throw new Error('no waiver was requested');
  return { findingId, waiverId: waiver.id };
}

const decide = (account: TestAccount, { waiverId }: WaiverRequest, approve = true) =>
  as(account)(decideWaiver, { params: { waiverId }, body: { approve, comment: 'I looked at it.' } });
const withdraw = (account: TestAccount, { waiverId }: WaiverRequest) =>
  as(account)(withdrawWaiver, { params: { waiverId } });
/** The actions that an account may perform on the latest waiver of a finding. */
const actionsOf = async ({ findingId }: WaiverRequest, account: TestAccount) =>
  (await detail(findingId, account)).waivers[0]?.allowed;

const auditOf = async (id: string) =>
  (await as(org.owner)(listAudit, { query: { subject: `finding:${id}` } as never })).entries;

describe('a waiver of a vulnerability', () => {
  test('requires a second person, applies until its end date, and ends', async () => {
    const request = await requestWaiver(org.owner);
    const { findingId } = request;
    const waiting = await detail(findingId);
    expect(waiting).toMatchObject({
      status: 'open',
      allowed: { requestWaiver: false },
    });
    expect(await actionsOf(request, org.owner)).toEqual({ decide: false, withdraw: true, revoke: false });
    expect(await actionsOf(request, reviewer)).toEqual({ decide: true, withdraw: false, revoke: false });
    expect(await refusalOf(decide(org.owner, request))).toEqual({ status: 409, code: 'conflict' });
    await decide(reviewer, request);
    expect(await detail(findingId)).toMatchObject({
      status: 'exception',
      exception: { state: 'approved', requestedBy: { id: org.owner.id }, decidedBy: { id: reviewer.id } },
      allowed: { dismiss: false, reopen: true },
    });
    const phrase = (await detail(findingId)).history.slice(0, 2).map((entry) => entry.phrase);
    expect(phrase).toEqual([
      expect.stringMatching(/^approved the waiver until /),
      expect.stringMatching(/^requested a waiver until /),
    ]);
    expect((await auditOf(findingId)).map(({ action }) => action)).toEqual([
      'finding.waiver_approved',
      'finding.waiver_requested',
    ]);
    await as(org.owner)(reopenFindings, { body: { ids: [findingId] } });
    expect(await detail(findingId)).toMatchObject({ status: 'open', waivers: [{ state: 'withdrawn' }] });
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
    const { findingId, waiverId } = request;
    const answer = await server.app.inject({
      method: 'POST',
      url: `/api/v2/waivers/${waiverId}/decision`,
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
    expect((await actionsOf(request, owner))?.decide).toBe(true);
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
    const { status, waivers } = await detail(request.findingId);
    expect([status, waivers[0]?.state]).toEqual(
      outcomes[0]?.status === 200 ? ['exception', 'approved'] : ['open', 'refused'],
    );
    expect(await refusalOf(decide(reviewer, request))).toEqual({ status: 409, code: 'conflict' });
  });

  test('is created once for concurrent requests', async () => {
    const id = await createFinding();
    const body = { ids: [id], until: day(10), reason: 'It is gone soon.' };
    const outcomes = await Promise.all([1, 2, 3].map(() => as(org.owner)(requestFindingWaivers, { body })));
    expect(outcomes.flatMap(({ changed }) => changed)).toEqual([id]);
    expect((await detail(id)).waivers).toHaveLength(1);
  });

  test.each([
    ['in the past', -1],
    ['too far in the future', 181],
  ])('with an end date that is %s is rejected', async (_, days) => {
    const body = { ids: [await createFinding()], until: day(days), reason: 'It is gone soon.' };
    expect(await refusalOf(as(org.owner)(requestFindingWaivers, { body }))).toEqual({
      status: 400,
      code: 'validation_failed',
    });
  });

  test.each(['  ', 'because', `${' '.repeat(10)}because`])('requires a meaningful reason: %j', async (reason) => {
    const body = { ids: [await createFinding()], until: day(3), reason };
    expect((await refusalOf(as(org.owner)(requestFindingWaivers, { body }))).status).toBe(400);
  });

  test('can be requested and withdrawn, but not decided, by a contributor in their own repositories', async () => {
    const elsewhere = await createFinding(await createTestRepository(server, org));
    const body = { ids: [elsewhere], until: day(5), reason: 'It is gone soon.' };
    expect(await refusalOf(as(contributor)(requestFindingWaivers, { body }))).toEqual({
      status: 404,
      code: 'not_found',
    });
    const request = await requestWaiver(contributor);
    expect((await detail(request.findingId, contributor)).allowed).toEqual({
      dismiss: false,
      reopen: false,
      requestWaiver: false,
      edit: false,
      merge: false,
      split: false,
    });
    expect((await actionsOf(request, contributor))?.withdraw).toBe(true);
    expect(await refusalOf(decide(contributor, request))).toEqual({ status: 403, code: 'forbidden' });
    expect(await refusalOf(withdraw(org.owner, request))).toEqual({ status: 403, code: 'forbidden' });
    await withdraw(contributor, request);
    expect(await refusalOf(withdraw(contributor, request))).toEqual({ status: 409, code: 'conflict' });
    expect(await refusalOf(decide(reviewer, request))).toEqual({ status: 409, code: 'conflict' });
    expect((await detail(request.findingId)).waivers).toMatchObject([{ state: 'withdrawn' }]);
  });

  test('is revoked by the requester or an approver while it is active, and the vulnerability is open again', async () => {
    const [first, second] = [await requestWaiver(contributor), await requestWaiver(org.owner)];
    await Promise.all([first, second].map((request) => decide(reviewer, request)));
    expect(await actionsOf(first, contributor)).toEqual({ decide: false, withdraw: false, revoke: true });
    expect(await refusalOf(withdraw(contributor, second))).toEqual({ status: 403, code: 'forbidden' });
    await withdraw(contributor, first);
    await withdraw(reviewer, second);
    for (const { findingId } of [first, second]) {
      expect(await detail(findingId)).toMatchObject({
        status: 'open',
        exception: null,
        waivers: [{ state: 'withdrawn' }],
      });
      expect((await auditOf(findingId))[0]?.action).toBe('finding.waiver_withdrawn');
    }
    const { events } = await as(org.owner)(queryEvents, { body: { query: 'kind:exception' } });
    expect(events[0]?.summary).toMatchObject({
      phrase: '{0} revoked a waiver for {1} in {2} until {3}',
      parameters: [{ display: reviewer.email }, { data: { findingId: second.findingId } }, {}, {}],
    });
    expect(await refusalOf(withdraw(reviewer, second))).toEqual({ status: 403, code: 'forbidden' });
  });

  test('is listed for approvers and withdrawn when the finding is dismissed', async () => {
    const request = await requestWaiver(contributor);
    const own = await requestWaiver(org.owner);
    const list = async (account: TestAccount, query: object = {}) =>
      (await as(account)(listWaivers, { query: { perPage: 100, ...query } })).rows;
    const byId = new Map((await list(org.owner)).map((row) => [row.id, row]));
    expect(byId.get(request.waiverId)).toMatchObject({
      state: 'requested',
      requestedBy: { id: contributor.id },
      finding: { id: request.findingId, severity: 'high' },
      allowed: { decide: true, withdraw: false },
    });
    expect(byId.get(own.waiverId)?.allowed).toEqual({ decide: false, withdraw: true, revoke: false });
    expect((await list(contributor)).map((row) => row.id)).toContain(request.waiverId);
    const auditor = await server.make.member(org.id, 'rol_auditor');
    expect((await list(auditor)).every(({ allowed }) => !allowed.decide && !allowed.withdraw)).toBe(true);
    const outsider = await server.make.member(org.id, 'rol_contributor');
    expect(await list(outsider)).toEqual([]);

    await as(org.owner)(dismissFindings, { body: { ids: [request.findingId], reason: 'mitigated' } });
    expect(await refusalOf(decide(reviewer, request))).toEqual({ status: 409, code: 'conflict' });
    const decided = new Map((await list(org.owner, { view: 'decided' })).map((row) => [row.id, row.state]));
    expect(decided.get(request.waiverId)).toBe('withdrawn');
  });

  test('follows its finding into a merge', async () => {
    const [survivor, waived] = [await requestWaiver(org.owner), await requestWaiver(org.owner)];
    await decide(reviewer, waived);
    await as(org.owner)(mergeFindings, {
      params: { findingId: survivor.findingId },
      body: { ids: [waived.findingId] },
    });
    const { waivers } = await detail(waived.findingId);
    expect(waivers.map(({ id, state }) => [id, state])).toEqual([
      [waived.waiverId, 'withdrawn'],
      [survivor.waiverId, 'requested'],
    ]);
    await decide(reviewer, survivor);
    expect((await detail(waived.findingId)).status).toBe('exception');
  });

  test('of another organization or of an invisible repository returns 404', async () => {
    const request = await requestWaiver(org.owner);
    const other = await server.make.organization('Other');
    const params = { waiverId: request.waiverId };
    const notFound = { status: 404, code: 'not_found' };
    const stranger = server.as(other.owner, other.id);
    expect(await refusalOf(stranger(decideWaiver, { params, body: { approve: true } }))).toEqual(notFound);
    expect(await refusalOf(stranger(withdrawWaiver, { params }))).toEqual(notFound);
    const outsider = await server.make.member(org.id, 'rol_contributor');
    expect(await refusalOf(withdraw(outsider, request))).toEqual(notFound);
  });

  test('returns 404 and is not listed while the feature is disabled', async () => {
    const request = await requestWaiver(org.owner);
    await setFlag(server.services, { orgId: org.id }, { name: 'vulnerabilities', enabled: false, operator: 'olga' });
    // Flag settings are cached for 5 seconds.
    const soon = { timeout: 12_000, interval: 250 };
    await expect.poll(async () => (await as(reviewer)(listWaivers, {})).rows, soon).toEqual([]);
    for (const attempt of [() => decide(reviewer, request), () => withdraw(org.owner, request)]) {
      expect(await refusalOf(attempt())).toEqual({ status: 404, code: 'not_found' });
    }
  });
});
