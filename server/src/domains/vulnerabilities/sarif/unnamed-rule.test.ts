import { type FindingDetail, getFinding } from '@sightline/contract/vulnerabilities/findings.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { testLocation, testLog, testMessage } from './testing/scanner-file.ts';
import { sendUpload, type UploadOptions } from './testing/uploads.ts';

let server: TestServer;
let org: TestOrganization;
let token: string;
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
  token = await server.token(org.owner, org.id);
});
afterAll(() => server?.close());

const repository = async (): Promise<UploadOptions> => {
  const name = `details-${crypto.randomUUID().slice(0, 8)}`;
  await createTestRepository(server, org, name);
  return { token, repository: `acme/${name}` };
};

/** Returns the findings of a repository with all their details. */
async function findings({ repository }: UploadOptions): Promise<FindingDetail[]> {
  const rows = await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .selectFrom('finding as f')
      .innerJoin('repository as r', (join) =>
        join.onRef('r.org_id', '=', 'f.org_id').onRef('r.id', '=', 'f.repository_id'),
      )
      .where('f.org_id', '=', org.id)
      .where('r.full_name', '=', repository)
      .select('f.id')
      .orderBy('f.line')
      .execute(),
  );
  const call = server.as(org.owner, org.id);
  return Promise.all(rows.map(({ id }) => call(getFinding, { params: { findingId: id } })));
}

describe('a result without a rule', () => {
  test('keeps its derived rule while names and numbers in its message change', async () => {
    const to = await repository();
    const file = (variable: string, count: number) =>
      JSON.stringify(
        testLog({
          tool: { driver: { name: 'Unruly' } },
          results: [
            {
              message: testMessage(`Variable '${variable}' is used ${count} times, first in src/${variable}.ts:7`),
              locations: [{ ...testLocation('src/a.ts', 3) }],
            },
            {
              message: testMessage(`Possible null pointer in ${variable}.read()`),
              locations: [{ ...testLocation('src/a.ts', 3) }],
            },
          ],
        }),
      );
    await sendUpload(server, file('total', 3), to);
    const before = await findings(to);
    expect(before.map(({ sources }) => sources[0]?.ruleId).sort()).toEqual([
      'unnamed/possible-null-pointer-in',
      'unnamed/variable-is-used-times-first-in',
    ]);
    expect((await sendUpload(server, file('sum', 12), to)).scans[0]?.counts).toMatchObject({
      new: 0,
      fixed: 0,
      unchanged: 2,
    });
    expect((await findings(to)).map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
  });
});
