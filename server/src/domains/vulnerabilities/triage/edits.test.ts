import { getAuditEntry, listAudit } from '@sightline/contract/organization/audit.ts';
import { editFindings, undoFindingEdit } from '@sightline/contract/vulnerabilities/finding-edits.ts';
import { getFinding, listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createScanResult, createTestScanner } from '#testing/findings.ts';
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
let ids: string[];
let rescan: () => Promise<unknown>;
/** Scans again without the first results, which fixes their findings. */
let fixSome: () => Promise<unknown>;
let recounted: Awaited<ReturnType<typeof createTestScanner>>['recounted'];

beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  org = await server.make.organization();
  reviewer = await server.make.member(org.id, 'rol_reviewer');
  const { send, findings, recounted: recount } = await createTestScanner(server, org);
  recounted = recount;
  const results = Array.from({ length: 30 }, (_, line) =>
    createScanResult({ path: `src/${line}.ts`, line, content: `${line}`, severity: line < 20 ? 'high' : 'low' }),
  );
  rescan = () => send(results, { commit: 'c'.repeat(40) });
  fixSome = () => send(results.slice(5));
  await send(results);
  ids = (await findings()).filter(({ severity }) => severity === 1).map(({ id }) => id);
});

const owner = () => server.as(org.owner, org.id);
const detail = (findingId: string) => owner()(getFinding, { params: { findingId } });
const matching = async (query: {
  assignee?: string[];
  label?: string[];
  status?: ('open' | 'fixed')[];
  search?: string;
}) => (await owner()(listFindings, { query })).total;

test('assigns, labels and links one finding, with history and audit entry, and survives a scan', async () => {
  const [id = ''] = ids;
  const ticketUrl = 'https://tickets.example/API-7';
  const edit = { assigneeId: reviewer.id, ticketUrl, addLabels: ['backend', 'Q3'] };
  const outcome = await owner()(editFindings, { body: { findings: { ids: [id] }, edit } });
  expect(outcome).toMatchObject({ changed: 1, unchanged: 0 });
  await rescan();
  const after = await detail(id);
  expect(after).toMatchObject({
    assignee: { id: reviewer.id, name: reviewer.name },
    ticketUrl,
    labels: ['Q3', 'backend'],
    allowed: { edit: true },
  });
  expect(Date.parse(after.dueAt ?? '') - Date.parse(after.discoverDate)).toBe(30 * 86_400_000);
  expect(after.history.find(({ kind }) => kind === 'edited')).toMatchObject({
    phrase: `assigned it to ${reviewer.name}, linked the ticket ${ticketUrl}, added “Q3”, “backend”`,
    actor: { kind: 'account', id: org.owner.id },
  });
  const { entries } = await owner()(listAudit, { query: { action: ['finding.edited'] } });
  expect(entries).toHaveLength(1);
  const { before, after: changed } = await owner()(getAuditEntry, { params: { auditId: entries[0]?.id ?? '' } });
  expect([before, changed]).toMatchObject([
    { assigneeId: null },
    { assigneeId: reviewer.id, ticketUrl, labels: ['Q3', 'backend'] },
  ]);
  const again = await owner()(editFindings, { body: { findings: { ids: [id] }, edit } });
  expect(again).toEqual({ editId: null, changed: 0, unchanged: 1 });
});

test('edits all findings of a filter with one audit entry, and filters and undoes them', async () => {
  const query = { severity: ['high' as const] };
  const [first = '', second = ''] = ids;
  await owner()(editFindings, { body: { findings: { ids: [first] }, edit: { assigneeId: org.owner.id } } });
  const body = { findings: { total: 20 }, edit: { assigneeId: reviewer.id, addLabels: ['sprint 9'] } };
  const { editId, ...counts } = await owner()(editFindings, { query, body });
  expect(counts).toEqual({ changed: 20, unchanged: 0 });
  expect(await matching({ assignee: [reviewer.id] })).toBe(20);
  expect(await matching({ assignee: ['none'] })).toBe(10);
  expect(await matching({ label: ['sprint 9'], assignee: [reviewer.id] })).toBe(20);
  const { entries } = await owner()(listAudit, { query: { action: ['finding.edited'] } });
  expect(entries).toHaveLength(2);

  await owner()(editFindings, { body: { findings: { ids: [second] }, edit: { removeLabels: ['sprint 9'] } } });
  const params = { editId: editId ?? '' };
  expect(await owner()(undoFindingEdit, { params })).toEqual({ changed: 19, unchanged: 1 });
  expect((await detail(first)).assignee?.id).toBe(org.owner.id);
  expect(await detail(second)).toMatchObject({ assignee: { id: reviewer.id }, labels: [] });
  expect(await matching({ label: ['sprint 9'] })).toBe(0);
  expect(await owner()(undoFindingEdit, { params })).toEqual({ changed: 0, unchanged: 20 });
});

test('counts by assignee and label follow edits, scans and undos', async () => {
  const query = { severity: ['high' as const] };
  const body = { findings: { total: 20 }, edit: { assigneeId: reviewer.id, addLabels: ['sprint 9', 'api'] } };
  const count = async (status: 'open' | 'fixed') => [
    await matching({ assignee: [reviewer.id], status: [status] }),
    await matching({ label: ['api'], status: [status] }),
    // Two labels of one finding, and a search: not stored, and shared until findings change.
    await matching({ label: ['api', 'sprint 9'], status: [status] }),
    await matching({ label: ['api'], status: [status], search: 'rule' }),
    await matching({ assignee: ['none'], status: [status] }),
  ];
  const before = await count('open');
  expect(before.slice(0, 4)).toEqual([0, 0, 0, 0]);
  const { editId } = await owner()(editFindings, { query, body });
  const { length: found } = (await owner()(listFindings, { query: { ...query, search: 'rule', perPage: 100 } })).rows;
  expect(await count('open')).toEqual([20, 20, 20, found, 10]);
  await fixSome();
  expect((await count('open')).slice(0, 3)).toEqual([15, 15, 15]);
  expect((await count('fixed')).slice(0, 3)).toEqual([5, 5, 5]);
  const fixed = await recounted();
  expect(fixed.kept).toEqual(fixed.counted);
  expect(fixed.kept.facets.filter(({ facet }) => facet === 'label')).not.toEqual([]);
  await owner()(undoFindingEdit, { params: { editId: editId ?? '' } });
  expect(await count('open')).toEqual([0, 0, 0, 0, 25]);
  const { kept, counted } = await recounted();
  expect(kept).toEqual(counted);
});

test('is refused if the number of matching findings has changed, and for assignees who are no members', async () => {
  const [id = ''] = ids;
  const stale = {
    query: { severity: ['high' as const] },
    body: { findings: { total: 21 }, edit: { addLabels: ['a'] } },
  };
  expect(await refusalOf(owner()(editFindings, stale))).toEqual({ status: 409, code: 'conflict' });
  const other = await server.make.organization();
  for (const edit of [
    { assigneeId: other.owner.id },
    {},
    { ticketUrl: 'javascript:alert(1)' },
    { addLabels: ['a,b'] },
  ]) {
    const refused = owner()(editFindings, { body: { findings: { ids: [id] }, edit } });
    expect([edit, await refusalOf(refused)]).toEqual([edit, { status: 400, code: 'validation_failed' }]);
  }
});

test('is denied to members who may not triage, and undone only by its author', async () => {
  const body = { findings: { ids: ids.slice(0, 2) }, edit: { addLabels: ['a'] } };
  const refused = server.as(reviewer, org.id)(editFindings, { body });
  expect(await refusalOf(refused)).toEqual({ status: 403, code: 'forbidden' });
  const secondOwner = await server.make.member(org.id, 'rol_owner');
  const { editId } = await owner()(editFindings, { body });
  const params = { editId: editId ?? '' };
  const undone = server.as(secondOwner, org.id)(undoFindingEdit, { params });
  expect(await refusalOf(undone)).toEqual({ status: 404, code: 'not_found' });
  const foreign = await server.make.organization();
  const fromOutside = server.as(foreign.owner, foreign.id)(editFindings, { body });
  expect(await refusalOf(fromOutside)).toEqual({ status: 404, code: 'not_found' });
});
