import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { AccountActor } from '#core/actor.ts';
import type { CliAccount } from './accounts.ts';

/** Acts for an account from the machine itself; the audit log names the operator. */
export const operatorFor = ({ id, email }: CliAccount): AccountActor & { operator: string } => ({
  accountId: id,
  email,
  requestId: randomUUID(),
  address: undefined,
  operator: userName(),
});

/** The login at the machine. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a number that no name belongs to.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
