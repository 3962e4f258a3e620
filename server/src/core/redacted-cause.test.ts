import { expect, test } from 'vitest';
import { redactCause } from './redacted-cause.ts';

test.each([
  ['connect ECONNREFUSED 10.1.2.3:443', 'connect ECONNREFUSED …:443'],
  ['connect ECONNREFUSED 2001:db8::1', 'connect ECONNREFUSED …'],
  ['550 <ada@example.org> mailbox unavailable', '550 <…> mailbox unavailable'],
  ['getaddrinfo ENOTFOUND hooks.example', 'getaddrinfo ENOTFOUND hooks.example'],
  ['GET https://user:pw@hooks.example/services/T0/B0?x=1 returned 500', 'GET hooks.example/… returned 500'],
  ['invalid input syntax for type uuid: "Ada Lovelace"', 'invalid input syntax for type uuid: "…"'],
  ["Cannot read properties of undefined (reading 'name')", 'Cannot read properties of undefined (reading "…")'],
  ["The repository's host didn't answer", "The repository's host didn't answer"],
  ['violates unique constraint "commit_pkey"', 'violates unique constraint "commit_pkey"'],
  ['Bad credentials: ghp_0123456789abcdefghij', 'Bad credentials: …'],
  ['Reference: 0198c0de-1111-7abc-8def-000000000001', 'Reference: 0198c0de-1111-7abc-8def-000000000001'],
  ['job heartbeat timeout', 'job heartbeat timeout'],
  ['first line\nstack of the error', 'first line'],
])('%s', (message, redacted) => {
  expect(redactCause(message)).toBe(redacted);
});

test('returns at most 300 characters', () => {
  expect(redactCause('word '.repeat(100))).toHaveLength(300);
});
