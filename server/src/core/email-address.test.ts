import { expect, test } from 'vitest';
import { normalizeEmail } from './email-address.ts';

test.each([
  ['Ada.Byron+x@Example.ORG', 'ada.byron+x@example.org'],
  [' ada@bücher.example ', 'ada@xn--bcher-kva.example'],
  [`${'a'.repeat(64)}@example.org`, `${'a'.repeat(64)}@example.org`],
])('normalizes %s to %s', (given, normal) => expect(normalizeEmail(given)).toBe(normal));

test.each([
  '',
  'ada',
  'ada@',
  '@example.org',
  'ada@localhost',
  'a b@example.org',
  'ada@@example.org',
  'ada@exa mple.org',
  '.ada@example.org',
  'ada..b@example.org',
  `${'a'.repeat(65)}@example.org`,
  `a@${'b.'.repeat(130)}org`,
  'ada@example.org\r\nbcc: x@example.org',
  '\u212Aim@example.org',
  'ad\u0430@example.org',
])('rejects %j as an address', (given) => expect(normalizeEmail(given)).toBeUndefined());
