import { filterFields, predicates } from '@sightline/contract/timeline/contexts.ts';
import { identifyEvent, queryEvents, recordEvents } from '@sightline/contract/timeline/events.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import { isFullSuite, sampleUnlessFull } from '../../../scripts/full-suite.ts';
import { eventItem } from '../domains/timeline/events/endpoint-cases.fixture.ts';
import { jsonPathsOf, withJsonAt } from './fields.ts';
import { anyJsonText, hostileJson } from './hostile-inputs.ts';
import { jsonHeaders, sendAndVerify } from './oracle.ts';

const runs = isFullSuite ? 150 : 15;
const VALUES_PER_POSITION = 6;
let turn = 0;
/** Returns other values in each call. */
const sample = <Item>(items: readonly Item[]): readonly Item[] => sampleUnlessFull(items, VALUES_PER_POSITION, turn++);
const harmlessJson = Object.entries(hostileJson).flatMap(([name, text]) =>
  /megabyte|__proto__|prototype|constructor/.test(name) ? [] : [text],
);

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await shareTestServer();
  const acme = await server.make.organization();
  token = await server.token(acme.owner, acme.id);
});
afterAll(() => server.close());

describe('events of a batch', () => {
  const url = '/api/v2/events/user';
  const evaluated = async (item: string) => {
    const good = JSON.stringify(eventItem());
    const answer = await server.app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${token}`, ...jsonHeaders },
      payload: `[${good},${item}]`,
    });
    expect([answer.statusCode, item.slice(0, 300), answer.statusCode === 202 ? '' : answer.payload]).toEqual([
      202,
      item.slice(0, 300),
      '',
    ]);
    const { accepted, duplicates, rejected } = recordEvents.response.parse(answer.json());
    expect(accepted + duplicates + rejected.length).toBe(2);
    for (const rejection of rejected) {
      expect(rejection).toMatchObject({
        index: 1,
        field: expect.stringMatching(/./),
        message: expect.stringMatching(/./),
      });
    }
  };

  test('are reported when invalid, without affecting their neighbors', async () => {
    for (const path of jsonPathsOf(identifyEvent)) {
      for (const text of sample(harmlessJson)) await evaluated(withJsonAt(eventItem(), path, text));
    }
  });

  test('are accepted, or rejected with a reason, for any content', async () => {
    const paths = jsonPathsOf(identifyEvent);
    const harmless = anyJsonText.filter((text) => !/__proto__|constructor/.test(text));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), harmless, (path, text) =>
        evaluated(withJsonAt(eventItem(), path, text)),
      ),
      { numRuns: runs },
    );
  });
});

describe('filters of the timeline', () => {
  const values = [
    '',
    'a',
    '0',
    '-1',
    '1.5',
    '1e9',
    '2147483648',
    'acme/api',
    '0000-01-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '-271821-04-20T00:00:00Z',
    '9999-12-31T23:59:60Z',
    '2026-03-01T12:00:00Z',
    '12',
    `'; drop table event; --`,
    'a'.repeat(500),
  ];
  test.each(Object.entries(filterFields).flatMap(([within, fields]) => fields.map((field) => [within, field])))(
    '%s %s: accepts any value with any predicate or rejects it with a reason',
    async (within, field) => {
      for (const predicate of predicates) {
        for (const value of sample(values)) {
          const body = { filters: [{ within, field, predicate, arguments: [value] }] };
          await sendAndVerify(server, {
            token,
            endpoint: queryEvents,
            sent: {
              url: '/api/v2/events/explore/query',
              headers: jsonHeaders,
              payload: JSON.stringify(body),
            },
          });
        }
      }
    },
  );
});
