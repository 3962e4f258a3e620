import { identifyEvent } from '@sightline/contract/timeline/events.ts';
import { expect, test } from 'vitest';
import { maybeUsualEvent } from './usual-event.ts';

const usual = {
  plugin_id: 'sightline-browser',
  event_type: 'web_page_view',
  message_id: '0198c7a4-4d3c-7a6e-8f0b-1f2e3d4c5b6a',
  org_id: '0198c7a4-4d3c-7a6e-8f0b-1f2e3d4c5b6b',
  user_id: 'auth0|1',
  identifiers: { kind: 'issue', number: '1' },
  original_timestamp: '2026-11-30T12:00:00.000Z',
  sent_at: '2026-12-31T23:59:59.999Z',
  tracking_version: '1.0.0',
  tracking_source: 'chrome',
  content_uri: 'https://example.org/docs/1?q=a%20b',
};

const { tracking_source: _source, identifiers: _identifiers, ...withoutDefaults } = usual;

test.each([usual, withoutDefaults, { ...usual, identifiers: {} }])(
  'parses a usual event like the schema: %j',
  (item) => {
    expect(maybeUsualEvent(item)).toEqual(identifyEvent.parse(item));
  },
);

const long = (length: number) => 'x'.repeat(length);
const texts = ['', ' ', 'a', long(40), long(41), long(100), long(101), long(400), long(401), long(2000), long(2001)];
const others = [null, 0, 1, true, [], ['a'], {}, 'é', '\0', 'a\nb', '\ud800', '😀', '\u007f', undefined];
const times = [
  '1969-12-31',
  '1970-01-01',
  '2026-02-29',
  '2028-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2100-12-31',
  '2101-01-01',
]
  .map((day) => `${day}T00:00:00.000Z`)
  .concat(
    '2026-01-01T24:00:00.000Z',
    '2026-01-01T23:60:00.000Z',
    '2026-01-01T00:00:60.000Z',
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00.000+01:00',
    '0',
    '0001-01-01T00:00:00Z',
  );
const ids = [
  '0198C7A4-4D3C-7A6E-8F0B-1F2E3D4C5B6A',
  '0198c7a4-4d3c-0a6e-8f0b-1f2e3d4c5b6a',
  '0198c7a4-4d3c-7a6e-cf0b-1f2e3d4c5b6a',
  '00000000-0000-0000-0000-000000000000',
];
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, 'a']));
const identifiers = [
  many(20),
  many(21),
  { [long(40)]: 'a' },
  { [long(41)]: 'a' },
  { '': 'a' },
  { 'A b': 'a' },
  { a: long(500) },
  { a: long(501) },
  { a: 1 },
  { a: 'é' },
  { a: '\0' },
];
const values = [...texts, ...others, ...times, ...ids, ...identifiers, 'commit', 'tool'];

test('accepts no item that the schema rejects, and parses every other like it', () => {
  const items = [
    ...[...Object.keys(usual), 'user_org_ids', 'unknown'].flatMap((name) => [
      ...values.map((value) => ({ ...usual, [name]: value })),
      Object.fromEntries(Object.entries(usual).filter(([other]) => other !== name)),
    ]),
    ...others,
    [usual],
  ];
  let accepted = 0;
  for (const item of items) {
    const event = maybeUsualEvent(item);
    if (event === undefined) continue;
    accepted += 1;
    const parsed = identifyEvent.safeParse(item);
    expect(parsed.success ? parsed.data : parsed.error.issues, JSON.stringify(item)).toEqual(event);
  }
  expect(accepted).toBeGreaterThan(50);
});
