import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { bigintArray, bytesArray, intArray, textArray, timeArray, uuidArray } from './arrays.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const back = async (type: string, value: Buffer): Promise<unknown> => {
  const { rows } = await server.services.database.pool.query(`select to_json($1::${type}[]) as value`, [value]);
  return JSON.parse(rows[0].value);
};

const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', '').toWellFormed());
const list = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { maxLength: 20 });

test('PostgreSQL reads back every array as written', async () => {
  await fc.assert(
    fc.asyncProperty(
      list(fc.option(fc.uuid())),
      list(text),
      list(fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }))),
      list(fc.maxSafeInteger()),
      async (uuids, texts, ints, bigints) => {
        expect(await back('uuid', uuidArray(uuids))).toEqual(uuids);
        expect(await back('text', textArray(texts))).toEqual(texts);
        expect(await back('int', intArray(ints))).toEqual(ints);
        expect(await back('bigint', bigintArray(bigints))).toEqual(bigints.map((value) => value || 0));
      },
    ),
    { numRuns: 30 },
  );
});

test('passes times, bytes and empty lists through unchanged', async () => {
  const times = [
    '1970-01-01T00:00:00.001Z',
    '1999-12-31T23:59:59.999Z',
    '2026-11-20T12:00:00+02:00',
    '2100-12-31T00:00:00Z',
  ];
  const { rows } = await server.services.database.pool.query(
    'select $1::timestamptz[] as t, $2::bytea[] as b, $3::uuid[] as u',
    [timeArray(times), bytesArray([Buffer.of(0, 1, 255), Buffer.alloc(0)]), uuidArray([])],
  );
  expect(rows[0].t).toEqual(times.map((time) => new Date(time)));
  expect(rows[0].b).toEqual([Buffer.of(0, 1, 255), Buffer.alloc(0)]);
  expect(rows[0].u).toEqual([]);
});

test('rejects an invalid ID or time before sending it', () => {
  for (const wrong of ['', 'x', '0'.repeat(31), '0'.repeat(33), `${'0'.repeat(31)}é`]) {
    expect(() => uuidArray([wrong])).toThrow('Not a uuid');
  }
  expect(() => timeArray(['yesterday'])).toThrow('Not a time');
});
