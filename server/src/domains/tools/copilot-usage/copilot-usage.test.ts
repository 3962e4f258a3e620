import { exportCopilotUsage, getCopilotUsage, readCopilotUsage } from '@sightline/contract/tools/copilot-usage.ts';
import { plausibleRecord, setCopilotFiles } from '@sightline/sandbox/github/copilot.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { operatorCliOf } from '../../../cli/testing/in-process.ts';
import { webhookHelpers } from '../../sources/webhooks/deliveries.fixture.ts';
import { readReports } from './read.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;
let org: TestOrganization;
let installationId: string;
const { inOrg, bind } = webhookHelpers(() => server);

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment });
}, 120_000);
afterAll(async () => {
  await server?.close();
  await sandbox?.close();
  await story?.remove();
});

afterEach(() => rowsOf('update installation set deleted_at = now() where org_id = $1'));

/** Connects a new organization, to which the operator allows the address of the sandbox. */
beforeEach(async () => {
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
  await setUsage({ isOff: false, reports: Object.fromEntries(lastDays(400).map((day) => [day, null])) });
  org = await server.make.organization();
  // With the permissions of the app again.
  sandbox.sandbox.host.installations.clear();
  installationId = String(sandbox.install().id);
  await bind(org, installationId);
  await operatorCliOf(server).ask('outbound', 'allow', sandbox.sandbox.url, '--purpose', 'code-host', '--org', org.id);
});

/** Days before today (UTC), newest first. */
const lastDays = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.now() - (index + 1) * 86_400_000).toISOString().slice(0, 10),
  );
const dayBefore = (days: number) => lastDays(days).at(-1) ?? '';
const setUsage = (body: { isOff?: boolean; reports?: Record<string, string[] | null>; days?: number }) =>
  sandbox.control('copilot-usage', { organization: 'sandbox', ...body });
const fileOf = (day: string, more: object = {}) => [`${JSON.stringify({ ...plausibleRecord(day), ...more })}\n`];
const read = () => readReports(server.services, { orgId: org.id, installationId });
const usage = () => server.as(org.owner, org.id)(getCopilotUsage, {});
const sourceOf = async () => (await usage()).sources[0];
const rowsOf = <Row extends Record<string, unknown>>(text: string) =>
  inOrg(org.id, (tx) => tx.query<Row>({ name: '', text, values: [org.id] }));
/** The rows of all tables of a reading, with the transactions that wrote them. */
const written = () =>
  rowsOf(`select 'day' as kind, day::text as name, xmin::text as version from copilot_day where org_id = $1
          union all select 'part', day || kind || name || feature, xmin::text from copilot_day_part where org_id = $1
          union all select 'entry', entry_id::text, xmin::text from ledger_pending where org_id = $1 and kind = 'copilot_usage.day'
          order by 1, 2`);

test('reads the last 28 days with their parts and one ledger entry each, and repeats without writes', async () => {
  await setUsage({ days: 40 });
  await read();
  const { days, byModel, byFeature, byEditor, sources } = await usage();
  expect(sources).toMatchObject([{ id: installationId, account: 'sandbox', state: 'read', reason: null }]);
  // GitHub has no report of yesterday yet.
  expect(days.map(({ day }) => day)).toEqual(lastDays(28).slice(1).reverse());
  const [first] = days;
  const record = plausibleRecord(first?.day ?? '');
  expect(first).toMatchObject({
    rejected: 0,
    counts: {
      dailyUsers: record.daily_active_users,
      monthlyAgentUsers: record.monthly_active_agent_users,
      acceptances: record.code_acceptance_activity_count,
      linesSuggestedToDelete: record.loc_suggested_to_delete_sum,
      pullRequestsCreated: record.pull_requests.total_created_by_copilot,
    },
  });
  const generated = days.map(({ day }) => plausibleRecord(day).totals_by_ide[0]?.code_generation_activity_count ?? 0);
  expect(byEditor[0]).toMatchObject({
    editor: 'vscode',
    counts: { generations: generated.reduce((sum, one) => sum + one, 0) },
  });
  expect(byModel).toHaveLength(5);
  expect(byFeature.map(({ feature }) => feature)).toContain('agent_edit');
  const entries = await rowsOf<{ id: string; entry: string }>(
    `select entry_id as id, entry from ledger_pending where org_id = $1 and kind = 'copilot_usage.day'`,
  );
  expect(new Set(entries.map(({ id }) => id))).toEqual(new Set(days.map(({ entryId }) => entryId)));
  const subject = JSON.parse(entries.find(({ id }) => id === first?.entryId)?.entry ?? '{}').subject;
  expect(subject).toEqual({ day: first?.day, installation: installationId, rejected: 0, digest: expect.any(String) });
  const before = await written();
  await read();
  expect(await written()).toEqual(before);
});

test('catches up after an outage longer than 28 days', { tags: 'full' }, async () => {
  await setUsage({ reports: { [dayBefore(28)]: fileOf(dayBefore(28)) } });
  await read();
  await rowsOf(`update copilot_source set read_through = current_date - 50 where org_id = $1`);
  await setUsage({ days: 60 });
  await read();
  expect((await usage()).days.map(({ day }) => day)).toEqual(lastDays(49).slice(1).reverse());
});

test('a day without a report is missing, and a later report is read', { tags: 'full' }, async () => {
  await read();
  expect(await sourceOf()).toMatchObject({ state: 'no_reports', reason: null });
  expect((await usage()).days).toEqual([]);
  const day = dayBefore(9);
  await sandbox.control('faults', { match: `day=${day}`, status: 404 });
  await setUsage({ reports: { [day]: fileOf(day) } });
  await read();
  expect((await usage()).days).toEqual([]);
  await read();
  expect((await usage()).days.map((one) => one.day)).toEqual([day]);
});

test('tells that the app is not permitted, or that a policy turned the metrics off', async () => {
  await setUsage({ days: 5, isOff: true });
  await read();
  expect(await sourceOf()).toMatchObject({
    state: 'not_permitted',
    reason: expect.stringContaining('Copilot usage metrics are disabled'),
  });
  await setUsage({ isOff: false });
  const [installation] = sandbox.sandbox.host.installations.values();
  delete installation?.permissions.organization_copilot_metrics;
  await read();
  expect(await sourceOf()).toMatchObject({
    state: 'not_permitted',
    reason: expect.stringContaining('Resource not accessible by integration'),
  });
  expect((await usage()).days).toEqual([]);
});

const queued = () =>
  server.services.database.pool.query<{ at: Date }>(
    `select start_after as at from pgboss.job where name = 'copilot-usage.read' and data ->> 'orgId' = $1`,
    [org.id],
  );

test('a failing day does not hold up others, and three failures end the reading until an hour later', {
  tags: 'full',
}, async () => {
  await setUsage({ days: 5 });
  await sandbox.control('faults', { match: `day=${dayBefore(5)}`, status: 500, times: 3 });
  await read();
  expect(await sourceOf()).toMatchObject({ state: 'failed', reason: 'GitHub answered 500' });
  expect((await usage()).days).toHaveLength(4);
  expect((await queued()).rows).toHaveLength(1);
  await read();
  expect(await sourceOf()).toMatchObject({ state: 'read', reason: null });
  expect((await usage()).days).toHaveLength(5);
});

test('counts records and parts that are not understood, and stores the rest', async () => {
  const [broken, part, array] = [dayBefore(4), dayBefore(3), dayBefore(2)];
  await setUsage({
    reports: {
      [broken]: fileOf(broken, { daily_active_users: -1 }),
      [part]: fileOf(part, {
        weekly_active_users: undefined,
        totals_by_ide: [{ ide: 'vscode', loc_added_sum: 3 }, { ide: 'a text with spaces' }, 7],
      }),
      // Two files: a JSON array with a record of another day, and lines that are no JSON.
      [array]: [JSON.stringify([plausibleRecord(part), plausibleRecord(array)]), '{"day":\nnull\n'],
    },
  });
  await read();
  const { days, byEditor, sources } = await usage();
  expect(days.map(({ day, rejected }) => [day, rejected])).toEqual([
    [part, 2],
    [array, 3],
  ]);
  expect(days[0]?.counts).not.toHaveProperty('weeklyUsers');
  expect(byEditor.find(({ editor }) => editor === 'vscode')?.counts.linesAdded).toBe(
    3 + (plausibleRecord(array).totals_by_ide[0]?.loc_added_sum ?? 0),
  );
  expect(sources[0]).toMatchObject({
    state: 'failed',
    reason: `No record of the Copilot report of ${broken} was understood (1 rejected)`,
  });
  // The daily reading repeats it.
  expect((await queued()).rows).toEqual([]);
});

test('refuses a download from a private address, and names the link nowhere', async () => {
  const lines: string[] = [];
  const log = vi.spyOn(server.services.log, 'error').mockImplementation((...line: unknown[]) => {
    lines.push(JSON.stringify(line));
  });
  await operatorCliOf(server).ask('outbound', 'revoke', sandbox.sandbox.url, '--purpose', 'code-host', '--org', org.id);
  await setUsage({ days: 5 });
  await read();
  log.mockRestore();
  const source = await sourceOf();
  expect(source).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('The address of the Copilot report'),
  });
  expect(`${source?.reason} ${lines}`).not.toMatch(/127\.0\.0\.1|sig=/);
  expect((await usage()).days).toEqual([]);
});

test('stores nothing of a download above 16 MB', async () => {
  const day = dayBefore(3);
  const line = `${JSON.stringify({ ...plausibleRecord(day), more: 'x'.repeat(1024) })}\n`;
  setCopilotFiles(sandbox.sandbox.host, 'sandbox', day, [line.repeat((16 * 1024 * 1024) / line.length + 1)]);
  await read();
  expect(await sourceOf()).toMatchObject({ state: 'failed', reason: expect.stringContaining('larger than 16 MB') });
  expect((await usage()).days).toEqual([]);
});

test('shows nothing to another organization and to Code Contributors, and exports days as CSV', async () => {
  await setUsage({ days: 3 });
  await read();
  const other = await server.make.organization();
  const ofOther = server.as(other.owner, other.id);
  expect(await ofOther(getCopilotUsage, {})).toMatchObject({ sources: [], source: null, days: [], byModel: [] });
  await expect(ofOther(getCopilotUsage, { query: { source: installationId } })).rejects.toMatchObject({ status: 404 });
  const contributor = await server.make.member(org.id, 'rol_contributor');
  const ofContributor = server.as(contributor, org.id);
  await expect(ofContributor(getCopilotUsage, {})).rejects.toMatchObject({ status: 403 });
  await expect(ofContributor(exportCopilotUsage, {})).rejects.toMatchObject({ status: 403 });
  const text = await server.as(org.owner, org.id)(exportCopilotUsage, {});
  const [head, first] = text.replaceAll(/[\ufeff"]/g, '').split('\r\n');
  expect(head).toMatch(/^day,daily users,weekly users,.*,rejected,ledger entry$/);
  expect(first?.split(',').slice(0, 2)).toEqual([
    dayBefore(4),
    String(plausibleRecord(dayBefore(4)).daily_active_users),
  ]);
});

test('reads nothing of an archived or disconnected organization', async () => {
  await setUsage({ days: 3 });
  await rowsOf(`update installation set deleted_at = now() where org_id = $1`);
  await read();
  await rowsOf(`update installation set deleted_at = null where org_id = $1`);
  await rowsOf(`update organization set archived_at = now() where id = $1`);
  await read();
  expect(await rowsOf('select from copilot_source where org_id = $1')).toEqual([]);
  await rowsOf(`update organization set archived_at = null where id = $1`);
  await server.as(org.owner, org.id)(readCopilotUsage, {});
  await server.as(org.owner, org.id)(readCopilotUsage, {});
  expect((await queued()).rows).toHaveLength(1);
});

// Last, because the client then sends nothing to this installation until the limit ends.
test('stops at a rate limit with Retry-After, and continues when it ends', async () => {
  await setUsage({ days: 5 });
  await sandbox.control('faults', { match: `day=${dayBefore(4)}`, status: 429, retryAfter: 120 });
  const start = Date.now();
  await read();
  const { days, sources } = await usage();
  expect(sources[0]).toMatchObject({ state: 'limited', reason: expect.stringContaining('rate limiting') });
  expect(days.map(({ day }) => day)).toEqual([dayBefore(6), dayBefore(5)]);
  const [job] = (await queued()).rows;
  expect(job?.at.getTime()).toBeGreaterThan(start + 100_000);
});
