import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resultOf, scannerOf } from '#testing/findings.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

let server: TestServer;
let org: TestOrganization;

beforeAll(async () => {
  server = await startTestServer();
  org = await server.make.organization();
});
afterAll(() => server.close());

const none = { new: 0, unchanged: 0, fixed: 0, reopened: 0, rejected: 0 };
const ten = Array.from({ length: 10 }, (_, place) =>
  resultOf({ ruleId: `rule-${place % 3}`, path: `src/file-${place}.ts`, line: 10 + place, content: `hash ${place}` }),
);

describe('one analysis', () => {
  test('the same results again change nothing; half of them fix the rest; all of them reopen it', async () => {
    const { send, findings, recounted } = await scannerOf(server, org);
    expect((await send(ten)).counts).toEqual({ ...none, new: 10 });
    const first = await findings();
    expect(first.map(({ status }) => status)).toEqual(Array(10).fill('open'));
    expect((await send(ten)).counts).toEqual({ ...none, unchanged: 10 });
    expect(await findings()).toEqual(first);
    expect((await send(ten.slice(0, 5))).counts).toEqual({ ...none, unchanged: 5, fixed: 5 });
    expect((await findings()).map(({ status }) => status)).toEqual([
      ...Array(5).fill('open'),
      ...Array(5).fill('fixed'),
    ]);
    expect((await send(ten)).counts).toEqual({ ...none, unchanged: 5, reopened: 5 });
    expect(await findings()).toEqual(first);
    const { kept, counted } = await recounted();
    expect(kept).toEqual(counted);
  });
});
