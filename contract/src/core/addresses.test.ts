import { expect, test } from 'vitest';
import { normalizeInvitationAddress, parseAddresses, parseCsvAddresses } from './addresses.ts';

test.each([
  ['ada@example.org', 'ada@example.org'],
  ['  Ada.Byron+x@Example.ORG ', 'ada.byron+x@example.org'],
  ['o-neil@a-b.co', 'o-neil@a-b.co'],
  ['a@bücher.example', 'a@xn--bcher-kva.example'],
  ['a@例え.テスト', 'a@xn--r8jz45g.xn--zckzah'],
  [`a@${'b'.repeat(63)}.example`, `a@${'b'.repeat(63)}.example`],
])('accepts %s as an address', (given, normal) => {
  expect(normalizeInvitationAddress(given)).toBe(normal);
});

test.each([
  '',
  'ada',
  'ada@',
  '@example.org',
  'ada@example',
  'ada@example.o',
  'ada@example.12',
  '1ada@example.org',
  'ada@@example.org',
  'ada@a@example.org',
  'ada.@example.org',
  'a..b@example.org',
  'ada@-example.org',
  'ada@example..org',
  'ada@example.org:80',
  'ada@example.org/x',
  'ada@127.0.0.1',
  'a b@example.org',
  'ädä@example.org',
  '\u212Aim@example.org',
  `${'a'.repeat(65)}@example.org`,
  `a@${'b'.repeat(64)}.example`,
  `a@${`${'b'.repeat(60)}.`.repeat(5)}example`,
])('rejects %s as an address', (given) => {
  expect(normalizeInvitationAddress(given)).toBeUndefined();
});

test.each([
  ['a@x.io b@x.io,c@x.io;d@x.io\n\te@x.io', ['a@x.io', 'b@x.io', 'c@x.io', 'd@x.io', 'e@x.io'], []],
  ['A@x.io, a@X.io', ['a@x.io'], []],
  ['noor@kestrel, a@x.io, noor@kestrel', ['a@x.io'], ['noor@kestrel']],
  ['Ada Byron <ada@x.io>, "Hopper, Grace" <grace@x.io>', ['ada@x.io', 'grace@x.io'], []],
  ['Ada <mailto:ada@x.io>; bob@x.io', ['ada@x.io', 'bob@x.io'], []],
  ['<not an address>', [], ['<not', 'an', 'address>']],
  ['name,email,role\nAda,ada@x.io,owner\n"Hopper, Grace",grace@x.io,', ['ada@x.io', 'grace@x.io'], []],
  ['E-Mail;Name\r\nada@x.io;Ada\r\nwrong;Bob\r\n', ['ada@x.io'], ['wrong']],
  ['', [], []],
  [' ,;\n', [], []],
])('splits %j into addresses', (text, valid, invalid) => {
  expect(parseAddresses(text)).toEqual({ valid, invalid });
});

test('reads every cell with an @ from a file without a header', () => {
  expect(parseCsvAddresses('\uFEFFAda Byron,ada@x.io\r\n"Bob ""B"" Fox",bob@\r\n,,\r\n')).toEqual({
    valid: ['ada@x.io'],
    invalid: ['bob@'],
  });
  expect(parseCsvAddresses('Name\temail address\nAda\tada@x.io\n')).toEqual({ valid: ['ada@x.io'], invalid: [] });
  expect(parseCsvAddresses('a@x.io\nb@x.io')).toEqual({ valid: ['a@x.io', 'b@x.io'], invalid: [] });
});

test('parses text of any size and shape quickly', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `p${index}@x.io`);
  expect(parseAddresses(many.join(', ')).valid).toHaveLength(20_000);
  for (const hostileInput of [
    '<'.repeat(50_000),
    '"'.repeat(50_001),
    'a,'.repeat(50_000),
    `${'a'.repeat(50_000)}@`,
    '<@'.repeat(50_000),
  ]) {
    expect(parseAddresses(hostileInput).valid).toEqual([]);
    expect(parseCsvAddresses(hostileInput).valid).toEqual([]);
  }
});
