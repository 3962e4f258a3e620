import { countAttempts, refundAttempts } from '#core/attempts.ts';
import { Refusal } from '#core/errors.ts';
import { effectiveLimitOf, type LimitOverrides, type MailClass, mailLimits } from '#core/limits.ts';
import type { Database } from '#database/database.ts';

/** Thrown if the budget of the recipient for this class of mail is exhausted. */
export class MailBudgetExceeded extends Refusal {
  constructor(seconds: number) {
    super('rate_limited', 'This address has received too much mail. Try again later.', {}, { retryAfter: seconds });
  }
}

/** Limits mails per recipient. The counts are in PostgreSQL and thus shared by all processes. */
export interface MailBudget {
  /** Calls `send` within the budget, else throws `MailBudgetSpent`. Refunds a mail that could not be sent. */
  spend: (mailClass: MailClass, recipient: string, send: () => Promise<void>) => Promise<void>;
}

export const createMailBudget = (database: Database, overrides: LimitOverrides): MailBudget => ({
  async spend(mailClass, recipient, send) {
    const limit = effectiveLimitOf(mailLimits[mailClass], overrides);
    const mailbox = mailboxOf(recipient);
    const wait = await database.global((tx) => countAttempts(tx, [[limit, mailbox]]));
    if (wait > 0) throw new MailBudgetExceeded(wait);
    try {
      await send();
    } catch (error) {
      await database.global((tx) => refundAttempts(tx, { refunded: [[limit, mailbox]] }));
      throw error;
    }
  },
});

/** The mailbox of an address, without the tag after a plus sign and in lower case. */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  return `${local.replace(/(?<=.)\+.*$/, '')}${address.slice(at)}`.toLowerCase();
}
