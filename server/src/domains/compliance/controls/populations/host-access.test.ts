import {
  decideAccessReviewHostItems,
  decideAccessReviewItems,
  listAccessReviewHostItems,
  listAccessReviewItems,
} from '@sightline/contract/compliance/access-review-items.ts';
import {
  getAccessReview,
  listAccessReviews,
  openAccessReview,
  signAccessReview,
} from '@sightline/contract/compliance/access-reviews.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { deactivateMember } from '@sightline/contract/organization/members.ts';
import type { HostPermission } from '@sightline/contract/sources/host-access.ts';
import type { AccessRow, PopulationRow } from '@sightline/evidence/controls/rows.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';
import type { HostAccess, HostAccessHolder } from '#providers/host-access.ts';
import { createTestRepository } from '#testing/findings.ts';
import {
  refusalOf,
  startTestServer,
  superuserUrl,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { sequenceEntries } from '../../../ledger/ledger/sequence.ts';
import { connectTestDirectory, patchOf, userBody } from '../../../organization/directory/testing/directory.ts';
import { storeAccess } from '../../../sources/host-access/commands.ts';
import { quarterAt } from '../../access-reviews/quarters.ts';
import { evaluatePopulation } from '../evaluate-population.ts';

let server: TestServer;
let org: TestOrganization;
let repository: string;
let ada: TestAccount;
// Memberships are append-only: only a superuser can backdate them.
let superuser: pg.Client;
beforeAll(async () => {
  server = await startTestServer();
  superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
});
beforeEach(async () => {
  org = await server.make.organization('Acme');
  repository = await createTestRepository(server, org);
  ada = await server.make.member(org.id, 'rol_contributor');
  await linkLogin(ada, 'ada');
  await inOrg((tx) =>
    query(tx, `update organization set created_at = now() - interval '1 year' where id = $1`, [org.id]),
  );
  await superuser.query(`update member_change set at = now() - interval '200 days' where org_id = $1`, [org.id]);
  await enable(ago(120));
});
afterAll(async () => {
  await superuser.end();
  await server.close();
});

const DAY = 86_400_000;
const HOUR = 3_600_000;
const ago = (days: number, hours = 0) => new Date(Date.now() - days * DAY - hours * HOUR).toISOString();
const inOrg = <Answer>(work: (tx: Tx) => Promise<Answer>) => server.services.database.withOrg(org.id, work);
const query = (tx: Tx, text: string, values: unknown[] = []) =>
  tx.query<Record<string, never>>({ name: '', text, values });

async function linkLogin(account: TestAccount, login: string): Promise<void> {
  const person = await server.personOf(org.id, account);
  await inOrg(({ db }) =>
    db
      .insertInto('identity')
      .values({
        org_id: org.id,
        kind: 'github',
        value: login,
        person_id: person,
        source: 'test',
        confidence: 'declared',
      })
      .execute(),
  );
}

/** Records that the repository was enabled at a time. */
const enable = (at: string) =>
  inOrg(async (tx) => {
    const id = newId();
    const fact = {
      id,
      org: org.id,
      kind: 'audit.repository.enabled',
      asOf: at,
      receivedAt: at,
      person: null,
      source: 'test',
    };
    await appendEntries(tx, org.id, [createLedgerEntry({ ...fact, subject: {}, personal: {} }, undefined)]);
    await query(
      tx,
      `insert into audit_event (org_id, id, at, actor_kind, actor_id, action, subject_kind, subject_id)
       values ($1, $2, $3, 'account', $4, 'repository.enabled', 'repository', $5)`,
      [org.id, id, at, org.owner.id, repository],
    );
  });

const allRead = { people: 'read', teams: 'read', keys: 'read', apps: 'read', owners: 'read', bypass: 'read' } as const;

/** A holder in words: `ada write`, `key 7 write ada`. */
function holder(text: string): HostAccessHolder {
  const [first = '', ...rest] = text.split(' ');
  const isKey = first === 'key';
  const [name = '', permission = 'write', by] = isKey ? rest : [first, ...rest];
  const login = isKey ? by : name;
  return {
    kind: isKey ? 'key' : 'person',
    id: name,
    name,
    permission: permission as HostPermission,
    user: login === undefined ? null : { login, hostId: `id of ${login}`, avatarUrl: null, isAgent: false },
    routes: ['direct'],
    canBypass: false,
  };
}

const read = (at: string, holders: readonly string[], parts: Partial<HostAccess['parts']> = {}) =>
  inOrg((tx) =>
    storeAccess(server.services, tx, org.id, {
      repositoryId: repository,
      provider: 'github',
      capturedAt: at,
      trigger: 'poll',
      access: { parts: { ...allRead, ...parts }, holders: holders.map(holder) },
    }),
  );

/** Reads the same access every 12 hours, between two times in days ago. */
async function readBetween(from: number, to: number, holders: readonly string[]): Promise<void> {
  for (let hours = from * 24; hours > to * 24; hours -= 12) await read(ago(0, hours), holders);
}

async function checkpoint() {
  while ((await sequenceEntries(server.services.ledger, org.id)) > 0);
  const [head] = await inOrg((tx) =>
    tx.query<{ size: number }>({ name: '', text: 'select size from ledger_log where org_id = $1', values: [org.id] }),
  );
  return { epoch: 1, size: Number(head?.size ?? 0), at: new Date().toISOString() };
}

const lastDays = (days: number) => ({
  from: `${ago(days).slice(0, 10)}T00:00:00.000Z`,
  to: new Date(Date.now() + DAY).toISOString(),
});

async function run(id: ControlId, period: { from: string; to: string }, asOf?: Awaited<ReturnType<typeof checkpoint>>) {
  const at = asOf ?? (await checkpoint());
  return (await inOrg((tx) => evaluatePopulation(tx, { orgId: org.id, period, asOf: at }, id))).run;
}

describe('ACC-01', () => {
  /** The verdict about a login in the last days. */
  async function verdictOf(login: string, days = 30, asOf?: Awaited<ReturnType<typeof checkpoint>>) {
    const { rows } = await run('ACC-01', lastDays(days), asOf);
    const [row] = await inOrg((tx) =>
      tx.query<{ person: string }>({
        name: '',
        text: `select person_id as person from access_holder where org_id = $1 and kind = 'person' and host_id = $2`,
        values: [org.id, login],
      }),
    );
    const found = rows.find(({ subject }) => subject === `person:${row?.person}`);
    return found && [found.verdict, ...found.reasons].join(' ');
  }

  test('passes a member with access, and fails a collaborator who is no member, whatever they may do', async () => {
    await readBetween(31, 0, ['ada write', 'contractor read']);
    expect(await verdictOf('ada')).toBe('pass member_during_access');
    expect(await verdictOf('contractor')).toBe('fail host_access_of_non_member');
    const { completeness } = await run('ACC-01', lastDays(30));
    expect(completeness).toContainEqual({ source: 'host_access', isIndependent: true, expected: 30, found: 30 });
  });

  test('a member who left keeps access for longer than the limit, under the login of a second account too', {
    tags: ['full'],
  }, async () => {
    await readBetween(31, 5, ['ada write', 'ada-private admin']);
    const before = await checkpoint();
    await server.as(org.owner, org.id)(deactivateMember, { params: { userId: ada.id } });
    await superuser.query(`update member_change set at = $2 where org_id = $1 and status = 'deactivated'`, [
      org.id,
      ago(5),
    ]);
    await readBetween(5, 0, ['ada write', 'ada-private admin']);
    expect(await verdictOf('ada')).toBe('fail host_access_after_deactivation');
    expect(await verdictOf('ada-private')).toBe('fail host_access_of_non_member');
    expect(await verdictOf('ada', 30, before)).not.toContain('fail');
  });

  test('access that ends in time passes, and access that is given again later does not', {
    tags: ['full'],
  }, async () => {
    await readBetween(31, 5, ['ada write']);
    await server.as(org.owner, org.id)(deactivateMember, { params: { userId: ada.id } });
    await superuser.query(`update member_change set at = $2 where org_id = $1 and status = 'deactivated'`, [
      org.id,
      ago(5),
    ]);
    await readBetween(5, 0.5, []);
    expect(await verdictOf('ada')).toContain('member_during_access');
    await read(ago(0, 6), ['ada write']);
    await read(ago(0, 3), []);
    expect(await verdictOf('ada')).toBe('fail host_access_after_deactivation');
  });

  test('access of a person who joins within a day is no failure, repeated short access of a stranger is one', async () => {
    await readBetween(31, 10, []);
    await readBetween(10, 9.5, ['visitor write']);
    await readBetween(9.5, 5, []);
    await readBetween(5, 4.5, ['visitor write']);
    await readBetween(4.5, 0, ['late write']);
    expect(await verdictOf('visitor')).toBe('fail host_access_of_non_member');
    expect(await verdictOf('late')).toBe('fail host_access_of_non_member');
    const late = await server.make.member(org.id, 'rol_contributor');
    await superuser.query('update member_change set at = $2 where org_id = $1 and account_id = $3', [
      ...[org.id, ago(4), late.id],
    ]);
    await superuser.query(`update access_holder set person_id = $2 where org_id = $1 and host_id = 'late'`, [
      org.id,
      await server.personOf(org.id, late),
    ]);
    expect(await verdictOf('late')).toBe('pass member_during_access');
  });

  test('a gap in the readings, or a part that the host denied, is missing evidence and not the end of access', async () => {
    await readBetween(31, 20, ['ada write']);
    await readBetween(18, 0, ['ada write']);
    expect(await verdictOf('ada')).toBe('missing_evidence host_access_unknown');
    expect(await verdictOf('ada', 15)).toBe('pass member_during_access');
    const gap = await run('ACC-01', lastDays(30));
    expect(gap.status).toBe('missing_evidence');
    await read(new Date().toISOString(), [], { people: 'forbidden' });
    const [last] = await inOrg((tx) =>
      tx.query<{ permission: string | null }>({
        name: '',
        text: 'select permission from access_change where org_id = $1 order by at desc limit 1',
        values: [org.id],
      }),
    );
    expect(last?.permission).toBe('write');
  });

  test('without any reading, an enabled repository leaves no control passing', async () => {
    const { status, completeness } = await run('ACC-01', lastDays(30));
    expect(status).toBe('missing_evidence');
    expect(completeness).toContainEqual({ source: 'host_access', isIndependent: true, expected: 30, found: 0 });
  });
});

describe('people who left the directory', () => {
  /** The directory has Ada, and she leaves it. Times are moved afterwards, as if that was days ago. */
  async function leave({
    leftDaysAgo,
    memberUntilDaysAgo,
  }: {
    leftDaysAgo: number;
    memberUntilDaysAgo: number | null;
  }) {
    const { scim } = await connectTestDirectory(server, org);
    const { id } = (await scim('POST', '/Users', userBody(ada.email))).body;
    await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } }));
    await superuser.query(
      `update directory_change set at = case when is_active then now() - interval '100 days' else $2::timestamptz end where org_id = $1`,
      [org.id, ago(leftDaysAgo)],
    );
    await superuser.query(
      memberUntilDaysAgo === null
        ? `delete from member_change where org_id = $1 and status = 'deactivated' and $2::timestamptz is not null`
        : `update member_change set at = $2 where org_id = $1 and status = 'deactivated'`,
      [org.id, ago(memberUntilDaysAgo ?? 0)],
    );
  }
  /** The item of Ada with its verdict. */
  async function rowOf() {
    const asOf = await checkpoint();
    const items: PopulationRow[] = [];
    const seen = (row: PopulationRow) => {
      items.push(row);
      return row;
    };
    const { run: result } = await inOrg((tx) =>
      evaluatePopulation(tx, { orgId: org.id, period: lastDays(30), asOf }, 'ACC-01', { seen }),
    );
    const subject = `person:${await server.personOf(org.id, ada)}`;
    const found = result.rows.find((one) => one.subject === subject);
    const item = items.find((one) => one.subject === subject) as AccessRow | undefined;
    return { verdict: found?.verdict, reasons: found?.reasons ?? [], departures: item?.departures ?? [], items };
  }

  test('pass if membership and access end in time, with the minutes of both', async () => {
    await readBetween(31, 5, ['ada write']);
    await leave({ leftDaysAgo: 5.5, memberUntilDaysAgo: 5.5 });
    await readBetween(5, 0, []);
    const { verdict, reasons, departures } = await rowOf();
    expect(verdict).toBe('pass');
    expect(reasons).toContain('access_ended_after_leaving');
    expect(departures).toMatchObject([{ returnedAt: null }]);
    expect(departures[0]?.memberMinutes).toBeLessThanOrEqual(1);
    expect(departures[0]?.hostAccessMinutes).toBeGreaterThan(11 * 60);
    expect(departures[0]?.hostAccessMinutes).toBeLessThan(24 * 60);
  });

  test('fail if the membership lasts longer than the limit, or the access on the code host', async () => {
    await readBetween(31, 2, ['ada write']);
    await leave({ leftDaysAgo: 10, memberUntilDaysAgo: 2 });
    await readBetween(2, 0, []);
    expect((await rowOf()).reasons.toSorted()).toEqual(['host_access_after_leaving', 'member_after_leaving']);
  });

  test('fail while they are still members', async () => {
    await readBetween(31, 0, []);
    await leave({ leftDaysAgo: 10, memberUntilDaysAgo: null });
    expect(await rowOf()).toMatchObject({ verdict: 'fail', reasons: ['member_after_leaving'] });
  });

  test('are not in the population if they were neither members nor had access', async () => {
    await readBetween(31, 0, []);
    const { scim } = await connectTestDirectory(server, org);
    const { id } = (await scim('POST', '/Users', userBody('stranger@elsewhere.example'))).body;
    await scim('DELETE', `/Users/${id}`);
    const { items } = await rowOf();
    expect(items.filter((one) => (one as AccessRow).departures.length > 0)).toEqual([]);
  });
});

describe('ACC-02', () => {
  const { first, end } = quarterAt(new Date());
  const quarter = { from: `${first}T00:00:00.000Z`, to: end.toISOString() };
  /** A time after the first or second third of the quarter until now. */
  const inQuarter = (thirds: number) => {
    const start = Date.parse(quarter.from);
    return new Date(start + ((Date.now() - start) * thirds) / 3).toISOString();
  };
  /** As if evaluated after the end of the quarter. */
  async function evaluateAfterQuarter() {
    const at = new Date(end.getTime() + 2 * DAY).toISOString();
    const { rows, completeness } = await run('ACC-02', quarter, { ...(await checkpoint()), at });
    const host = rows.filter(({ subject }) => subject.startsWith('host-access:'));
    return { completeness, verdicts: host.map(({ verdict, reasons }) => [verdict, ...reasons].join(' ')).toSorted() };
  }
  const as = (account: TestAccount) => server.as(account, org.id);
  const itemsOf = async (reviewId: string) =>
    (await as(org.owner)(listAccessReviewHostItems, { params: { reviewId }, query: { perPage: 100 } })).rows;
  const decide = (by: TestAccount, reviewId: string, decision: 'kept' | 'changed', ...items: string[]) =>
    as(by)(decideAccessReviewHostItems, { params: { reviewId }, body: { decision, items } });

  /** Decides on every member and signs. */
  async function signAll(reviewId: string, reviewer: TestAccount): Promise<void> {
    const { rows } = await as(org.owner)(listAccessReviewItems, { params: { reviewId }, query: { perPage: 100 } });
    for (const { accountId, roleId, decision } of rows) {
      const by = accountId === org.owner.id ? reviewer : org.owner;
      const body = { decision: 'kept' as const, lines: [{ accountId, roleId }] };
      if (!decision) await as(by)(decideAccessReviewItems, { params: { reviewId }, body });
    }
    const { lines, decided } = await as(org.owner)(getAccessReview, { params: { reviewId } });
    await as(org.owner)(signAccessReview, { params: { reviewId }, body: { lines, decided } });
  }

  test('access that no review confirms fails: never listed, extended after the decision, or not removed', async () => {
    const reviewer = await server.make.member(org.id, 'rol_reviewer');
    await read(inQuarter(1), ['ada write', 'bob read', 'key 7 write ada']);
    const { id } = await as(org.owner)(openAccessReview, {});
    const items = await itemsOf(id);
    expect(
      items
        .map(({ holder: { name, kind }, permission, inForce }) => `${kind} ${name} ${permission} ${inForce}`)
        .toSorted(),
    ).toEqual(['key 7 write 1', 'person ada write 1', 'person bob read 1']);
    const idOf = (name: string) => items.find((one) => one.holder.name === name)?.id ?? '';
    await decide(org.owner, id, 'kept', idOf('ada'), idOf('7'));
    await decide(org.owner, id, 'changed', idOf('bob'));
    await signAll(id, reviewer);
    expect((await evaluateAfterQuarter()).verdicts).toEqual([
      'fail access_not_changed',
      'pass access_reviewed',
      'pass access_reviewed',
    ]);
    await read(inQuarter(2), ['ada admin', 'key 7 write ada']);
    expect((await evaluateAfterQuarter()).verdicts).toEqual([
      'fail access_not_reviewed',
      ...Array(3).fill('pass access_reviewed'),
    ]);
    expect(await as(reviewer)(openAccessReview, {})).toMatchObject({ state: 'open' });
    expect((await itemsOf(id)).filter(({ decision }) => decision === null)).toMatchObject([{ permission: 'admin' }]);
  });

  test('lists access that was obtained and lost within the quarter', async () => {
    await read(inQuarter(1), ['visitor admin']);
    await read(inQuarter(2), []);
    expect((await evaluateAfterQuarter()).verdicts).toEqual(['fail access_not_reviewed']);
    const { id } = await as(org.owner)(openAccessReview, {});
    expect(await itemsOf(id)).toMatchObject([{ holder: { name: 'visitor' }, permission: 'admin', inForce: 0 }]);
  });

  test('reviewers cannot decide on their own access, or on a deploy key that they added', async () => {
    const reviewer = await server.make.member(org.id, 'rol_reviewer');
    await linkLogin(reviewer, 'rev');
    await read(inQuarter(1), ['rev write', 'key 8 write rev']);
    const { id } = await as(reviewer)(openAccessReview, {});
    for (const { id: item, own } of (
      await as(reviewer)(listAccessReviewHostItems, { params: { reviewId: id }, query: {} })
    ).rows) {
      expect(own).toBe(true);
      expect(await refusalOf(decide(reviewer, id, 'kept', item))).toMatchObject({ status: 403 });
    }
    const items = (await itemsOf(id)).map((one) => one.id);
    await decide(org.owner, id, 'kept', ...items);
    await signAll(id, reviewer);
    expect((await evaluateAfterQuarter()).verdicts).toEqual(['pass access_reviewed', 'pass access_reviewed']);
    // As if the account had been linked to the reviewer only after the decision.
    await superuser.query('update access_review_host_decision set reviewer = $2 where org_id = $1', [
      org.id,
      reviewer.id,
    ]);
    expect((await evaluateAfterQuarter()).verdicts).toEqual([
      'fail access_reviewed_by_member',
      'fail access_reviewed_by_member',
    ]);
  });

  test('denied deploy keys or apps are missing evidence', async () => {
    await read(inQuarter(1), ['ada write'], { apps: 'forbidden' });
    const found = (await evaluateAfterQuarter()).completeness.find(({ source }) => source === 'host_access');
    expect(found?.found).toBe(0);
    expect(found?.expected).toBeGreaterThan(0);
  });

  test('a signed decision about access cannot be changed', async () => {
    const reviewer = await server.make.member(org.id, 'rol_reviewer');
    await read(inQuarter(1), ['ada write']);
    const { id } = await as(org.owner)(openAccessReview, {});
    const [item] = await itemsOf(id);
    await decide(org.owner, id, 'kept', item?.id ?? '');
    await signAll(id, reviewer);
    expect(await refusalOf(decide(org.owner, id, 'changed', item?.id ?? ''))).toMatchObject({ status: 409 });
    expect((await as(org.owner)(listAccessReviews, { query: { state: ['signed'] } })).total).toBe(1);
  });
});
