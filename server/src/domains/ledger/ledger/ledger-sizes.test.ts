import { getLedgerSize } from '@sightline/contract/ledger/ledger.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signLedger } from '#testing/ledger.ts';
import { refusalOf, shareTestServer, type TestServer } from '#testing/server.ts';
import { sequenceEntries } from './sequence.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

test('returns the time and the first checkpoint of a size, or the size at a time, to every member', async () => {
  const org = await server.make.organization();
  const contributor = await server.make.member(org.id, 'rol_contributor');
  const read = server.as(contributor, org.id);
  expect(await refusalOf(read(getLedgerSize, {}))).toMatchObject({ status: 404 });
  const first = await signLedger(server, org);
  await server.make.member(org.id, 'rol_reviewer');
  await server.make.member(org.id, 'rol_reviewer');
  const second = await signLedger(server, org);

  const last = await read(getLedgerSize, {});
  expect(last).toMatchObject({ ledgerSize: `1.${second}`, epoch: 1, size: second, checkpoint: { size: second } });
  const between = await read(getLedgerSize, { query: { ledgerSize: `${first + 1}` } });
  expect(between).toMatchObject({ ledgerSize: `1.${first + 1}`, size: first + 1, checkpoint: { size: second } });
  expect(Date.parse(between.recordedAt)).toBeLessThanOrEqual(Date.parse(last.recordedAt));
  const { since } = last;
  expect(await read(getLedgerSize, { query: { at: since } })).toMatchObject({
    size: first,
    checkpoint: { size: first },
  });
  await expect(read(getLedgerSize, { query: { at: '2020-01-01T00:00:00.000Z' } })).rejects.toMatchObject({
    status: 400,
    body: { message: `at must not be before ${since}, the first checkpoint.` },
  });
  // An entry that no checkpoint contains yet.
  await server.make.member(org.id, 'rol_auditor');
  await sequenceEntries(server.services.ledger, org.id);
  expect(await refusalOf(read(getLedgerSize, { query: { ledgerSize: `${second + 1}` } }))).toMatchObject({
    status: 400,
  });
});
