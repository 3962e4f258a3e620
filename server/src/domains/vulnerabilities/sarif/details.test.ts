import { type FindingDetail, getFinding } from '@sightline/contract/vulnerabilities/findings.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { testLog, testMessage } from './testing/scanner-file.ts';
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

const locationAt = (uri: string, region: object, message?: string) => ({
  physicalLocation: { artifactLocation: { uri }, region },
  ...(message !== undefined && { message: { text: message } }),
});
const step = (uri: string, startLine: number, message: string) => ({
  location: locationAt(uri, { startLine }, message),
});

describe('details of a result beyond its first location', () => {
  test('include further locations, related locations, code flows and fixes', async () => {
    const to = await repository();
    const result = {
      ruleId: 'path',
      message: testMessage('The path [here](1) leaves the folder'),
      locations: [
        locationAt('src/a.ts', { startLine: 4, startColumn: 7, endColumn: 12 }),
        locationAt('src/b.ts', { startLine: 9 }),
      ],
      relatedLocations: [{ id: 1, ...locationAt('src/root.ts', { startLine: 2 }, 'The folder') }],
      codeFlows: [
        { threadFlows: [{ locations: [step('src/a.ts', 1, 'read'), step('src/a.ts', 4, 'open')] }] },
        { threadFlows: [{ locations: [step('src/c.ts', 3, 'argument'), step('src/a.ts', 4, 'open')] }] },
      ],
      fixes: [
        {
          description: { text: 'Resolve the path first' },
          artifactChanges: [
            {
              artifactLocation: { uri: 'src/a.ts' },
              replacements: [
                {
                  deletedRegion: { startLine: 4, startColumn: 7, endColumn: 12 },
                  insertedContent: { text: 'resolve(name)' },
                },
              ],
            },
          ],
        },
      ],
    };
    const file = JSON.stringify(testLog({ tool: { driver: { name: 'Rich' } }, results: [result] }));
    await sendUpload(server, file, to);
    const [found] = await findings(to);
    const none = { column: null, endColumn: null, offset: null };
    expect(found).toMatchObject({
      coordinate: { filePath: 'src/a.ts', line: 4 },
      region: { column: 7, endColumn: 12, offset: null },
      locations: [{ filePath: 'src/b.ts', line: 9, endLine: 9, message: '', ...none }],
      relatedLocations: [{ filePath: 'src/root.ts', line: 2, message: 'The folder', ...none }],
      flow: [
        { filePath: 'src/a.ts', line: 1 },
        { filePath: 'src/a.ts', line: 4 },
      ],
      otherFlows: [
        [
          { filePath: 'src/c.ts', line: 3, message: 'argument' },
          { filePath: 'src/a.ts', line: 4 },
        ],
      ],
      fixes: [
        {
          description: 'Resolve the path first',
          changes: [{ filePath: 'src/a.ts', line: 4, endLine: 4, column: 7, endColumn: 12, inserted: 'resolve(name)' }],
        },
      ],
    });
    expect(found?.locations[0]?.url).toMatch(/src\/b\.ts#L9$/);
    expect((await sendUpload(server, file, to)).scans[0]?.counts).toMatchObject({ unchanged: 1, new: 0 });
  });

  test('include a region in characters or bytes instead of lines', async () => {
    const to = await repository();
    const results = [
      {
        ruleId: 'a',
        message: testMessage('m'),
        locations: [locationAt('src/a.ts', { charOffset: 120, charLength: 14 })],
      },
      {
        ruleId: 'b',
        message: testMessage('m'),
        locations: [locationAt('src/a.bin', { byteOffset: 0, byteLength: 3 })],
      },
    ];
    await sendUpload(server, JSON.stringify(testLog({ tool: { driver: { name: 'Offsets' } }, results })), to);
    const found = await findings(to);
    expect(found.map(({ coordinate, region }) => [coordinate?.line, region?.offset])).toEqual(
      expect.arrayContaining([
        [null, { unit: 'characters', from: 120, length: 14 }],
        [null, { unit: 'bytes', from: 0, length: 3 }],
      ]),
    );
    // Two locations of one rule in one file are two findings.
    const two = await repository();
    const same = [10, 90].map((charOffset) => ({
      ruleId: 'a',
      message: testMessage('m'),
      locations: [locationAt('src/a.ts', { charOffset, charLength: 2 })],
    }));
    const file = JSON.stringify(testLog({ tool: { driver: { name: 'Offsets' } }, results: same }));
    await sendUpload(server, file, two);
    const offsets = async () => (await findings(two)).map(({ id, region }) => [region?.offset?.from, id]).sort();
    const before = await offsets();
    await sendUpload(
      server,
      JSON.stringify(testLog({ tool: { driver: { name: 'Offsets' } }, results: same.toReversed() })),
      two,
    );
    expect(await offsets()).toEqual(before);
  });

  test('omit any text that may contain a secret', async () => {
    const to = await repository();
    const secret = 'AKIAIOSFODNN7EXAMPLE';
    const result = {
      ruleId: 'aws-key',
      message: testMessage('A key'),
      locations: [
        locationAt('.env', { startLine: 1, snippet: { text: `KEY=${secret}` } }),
        locationAt('b.env', { startLine: 2 }, secret),
      ],
      relatedLocations: [locationAt('c.env', { startLine: 3 }, `it is ${secret}`)],
      codeFlows: [1, 2].map(() => ({ threadFlows: [{ locations: [step('.env', 1, secret)] }] })),
      fixes: [
        {
          description: testMessage(`Remove ${secret}`),
          artifactChanges: [
            {
              artifactLocation: { uri: '.env' },
              replacements: [
                { deletedRegion: { startLine: 1, snippet: testMessage(secret) }, insertedContent: testMessage(secret) },
              ],
            },
          ],
        },
      ],
    };
    await sendUpload(
      server,
      JSON.stringify(testLog({ tool: { driver: { name: 'Gitleaks' } }, results: [result] })),
      to,
    );
    const [found] = await findings(to);
    expect(found?.locations).toMatchObject([{ filePath: 'b.env', line: 2, message: '' }]);
    expect(found?.relatedLocations).toMatchObject([{ filePath: 'c.env', message: '' }]);
    expect([found?.fixes, found?.otherFlows]).toEqual([[], []]);
    expect(JSON.stringify(found)).not.toContain(secret);
  });
});
