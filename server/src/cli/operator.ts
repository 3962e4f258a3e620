import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { AccountActor } from '#core/actor.ts';
import type { CliAccount } from './accounts.ts';

/** An actor that uses an account on behalf of the operator. The audit log names the operator. */
export const operatorActorFor = ({ id, email }: CliAccount): AccountActor & { operator: string } => ({
  accountId: id,
  email,
  requestId: randomUUID(),
  address: undefined,
  operator: operatorUserName(),
});

/** The actor of a command that uses no account, for the audit log. */
export const operatorActor = () => ({ operator: operatorUserName(), requestId: randomUUID() });

/** Returns the user name of this process. */
export function operatorUserName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run with a user ID without a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
