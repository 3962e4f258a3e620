import { countAttempts, forgiveAttempts } from '#core/attempts.ts';
import { Refusal } from '#core/errors.ts';
import { type LimitOverrides, limitOf, type MailClass, mailLimits } from '#core/limits.ts';
import type { Database } from '#database/database.ts';

/** No mail of this class may go to the recipient for now. */
export class MailBudgetSpent extends Refusal {
  constructor(seconds: number) {
    super('rate_limited', 'This address has received too much mail. Try again later.', {}, { retryAfter: seconds });
  }
}

/** Counts every mail against the budget of its recipient, in PostgreSQL, so that it holds across processes. */
export interface MailBudget {
  /** Throws `MailBudgetSpent` without calling `send`; a mail that could not be sent costs nothing. */
  spend: (mailClass: MailClass, recipient: string, send: () => Promise<void>) => Promise<void>;
}

export const createMailBudget = (database: Database, overrides: LimitOverrides): MailBudget => ({
  async spend(mailClass, recipient, send) {
    const limit = limitOf(mailLimits[mailClass], overrides);
    const mailbox = mailboxOf(recipient);
    const wait = await database.global((tx) => countAttempts(tx, [[limit, mailbox]]));
    if (wait > 0) throw new MailBudgetSpent(wait);
    try {
      await send();
    } catch (error) {
      await database.global((tx) => forgiveAttempts(tx, { refunded: [[limit, mailbox]] }));
      throw error;
    }
  },
});

/** The mailbox behind an address: tags after a plus sign and letter case lead to the same one. */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  return `${local.replace(/(?<=.)\+.*$/, '')}${address.slice(at)}`.toLowerCase();
}
