import { expect, test } from 'vitest';
import { mailboxOf } from './mailbox.ts';

test.each([
  ['Ada@Example.org', 'ada@example.org'],
  ['ada+work@example.org', 'ada@example.org'],
  ['a.da@example.org', 'a.da@example.org'],
  ['a.da+x@googlemail.com', 'ada@gmail.com'],
  ['+ada@example.org', '+ada@example.org'],
])('the mailbox of %s is %s', (email, mailbox) => expect(mailboxOf(email)).toBe(mailbox));
