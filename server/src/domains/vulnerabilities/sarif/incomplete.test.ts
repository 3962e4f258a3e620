import { allowMissingClasses, listScans, type Scan } from '@sightline/contract/vulnerabilities/scans.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import { refusalOf, shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { testLocation, testLog, testMessage } from './testing/scanner-file.ts';
import { sendUpload, type UploadOptions } from './testing/uploads.ts';

let server: TestServer;
let org: TestOrganization;
let to: UploadOptions;
const params = { provider: 'github', repoPath: 'acme/api' } as const;
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
  await createTestRepository(server, org, 'api');
  to = { token: await server.token(org.owner, org.id), repository: 'acme/api' };
});
afterAll(() => server?.close());

const result = (line: number) => ({
  ruleId: 'NP',
  message: testMessage('m'),
  locations: [testLocation('src/A.java', line)],
});
async function scanOf(name: string, results: object[] | undefined, invocation?: object): Promise<Scan> {
  const run = { tool: { driver: { name } }, results, ...(invocation && { invocations: [invocation] }) };
  const { scans } = await sendUpload(server, JSON.stringify(testLog(run)), to);
  const [scan] = scans;
  if (!scan) throw new Error('no scan');
  return scan;
}

describe('an incomplete scan reports its reason', () => {
  test.each([
    ['a failed run without a message', { executionSuccessful: false }, 'The scanner reports that its run failed.'],
    [
      'with its exit code',
      { executionSuccessful: false, exitCode: 3, exitCodeDescription: 'OUT OF MEMORY' },
      'The scanner reports that its run failed: exit code 3, OUT OF MEMORY.',
    ],
    [
      'with an error',
      {
        executionSuccessful: false,
        toolExecutionNotifications: [
          { level: 'note', message: testMessage('started') },
          { level: 'error', message: testMessage('Cannot parse src/B.java') },
        ],
      },
      'The scanner reports that its run failed: Cannot parse src/B.java',
    ],
  ])('%s', async (_, invocation, message) => {
    const name = `Failing ${message.length}`;
    await scanOf(name, [result(1)]);
    const scan = await scanOf(name, [], invocation);
    expect(scan.incomplete).toEqual({ fixes: false, allowed: false, reasons: [{ code: 'failed', message }] });
    expect(scan.counts?.fixed).toBe(0);
    const { rows } = await server.as(org.owner, org.id)(listScans, { params, query: {} });
    expect(rows[0]).toMatchObject({ id: scan.id, incomplete: scan.incomplete });
  });

  test('for a run without results, and none for a complete run', async () => {
    expect((await scanOf('Silent', undefined)).incomplete?.reasons).toEqual([
      { code: 'no_results', message: 'The file contains no results of this run.' },
    ]);
    expect((await scanOf('Silent', [])).incomplete).toBeNull();
    // SpotBugs exits with 1 if it found bugs; older versions report such a run as unsuccessful.
    expect((await scanOf('SpotBugs', [result(1)], { executionSuccessful: false, exitCode: 1 })).incomplete).toBeNull();
  });
});

describe('missing classes of SpotBugs', () => {
  const missing = {
    executionSuccessful: false,
    exitCode: 3,
    exitCodeDescription: 'MISSING CLASS,BUGS FOUND',
    toolConfigurationNotifications: [
      {
        descriptor: { id: 'spotbugs-missing-classes' },
        level: 'error',
        message: testMessage('Classes needed for analysis were missing: [javax.inject.Inject, javax.inject.Named]'),
      },
    ],
  };
  const body = (allowed: boolean) => ({ tool: 'spotbugs', allowed });

  test('close no findings until an owner allows it, starting with the next scan', async () => {
    await scanOf('SpotBugs', [result(1), result(20)]);
    const first = await scanOf('SpotBugs', [result(1)], missing);
    expect(first.counts).toMatchObject({ unchanged: 1, fixed: 0 });
    const message = 'Classes needed for analysis were missing: [javax.inject.Inject, javax.inject.Named]';
    const reasons = [{ code: 'missing_classes', message }];
    expect(first.incomplete).toEqual({ fixes: false, allowed: false, reasons });

    await server.as(org.owner, org.id)(allowMissingClasses, { params, body: body(true) });
    const second = await scanOf('SpotBugs', [result(1)], missing);
    expect(second.counts).toMatchObject({ unchanged: 1, fixed: 1 });
    expect(second.incomplete).toEqual({ fixes: true, allowed: true, reasons });
    // A further error is not a missing class.
    const failed = {
      ...missing,
      exitCode: 7,
      toolExecutionNotifications: [{ level: 'error', message: testMessage('Boom') }],
    };
    expect((await scanOf('SpotBugs', [], failed)).counts).toMatchObject({ fixed: 0 });
    expect((await scanOf('Other', [], missing)).incomplete?.fixes).toBe(false);

    await server.as(org.owner, org.id)(allowMissingClasses, { params, body: body(false) });
    expect((await scanOf('SpotBugs', [], missing)).counts).toMatchObject({ fixed: 0 });
  });

  test('can be allowed by owners only, with an audit entry', async () => {
    const reviewer = await server.make.member(org.id, 'rol_reviewer');
    const response = server.as(reviewer, org.id)(allowMissingClasses, { params, body: body(true) });
    expect(await refusalOf(response)).toEqual({ status: 403, code: 'forbidden' });
    await server.as(org.owner, org.id)(allowMissingClasses, { params, body: body(true) });
    const entries = await server.services.database.withOrg(org.id, ({ db }) =>
      db
        .selectFrom('audit_event')
        .where('org_id', '=', org.id)
        .where('action', '=', 'repository.missing_classes_changed')
        .select('data')
        .orderBy('id', 'desc')
        .limit(1)
        .execute(),
    );
    expect(entries[0]?.data).toEqual({ tool: 'spotbugs', before: { allowed: false }, after: { allowed: true } });
  });
});
