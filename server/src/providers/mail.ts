import type { Config } from '#config.ts';
import { newId } from '#core/ids.ts';
import type { MailClass } from '#core/limits.ts';
import type { Metrics } from '#core/metrics.ts';
import type { Database } from '#database/database.ts';
import type { MailBudget } from './mail-budget.ts';

export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Sends a mail. Throws `MailBudgetSpent` if the budget of the recipient for this class is exhausted. */
  send: (mailClass: MailClass, message: MailMessage) => Promise<void>;
  /** Whether mails are stored in the local outbox instead of being sent. */
  local: boolean;
}

/** SMTP if configured, else an outbox in the database, which a page shows outside production. */
export function createMail(
  { SMTP_URL: smtpUrl, MAIL_FROM: from }: Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>,
  database: Database,
  budget: MailBudget,
  { mails }: Pick<Metrics, 'mails'>,
): Mailer {
  const sending = (deliver: (message: MailMessage) => Promise<unknown>): Mailer['send'] => {
    return (mailClass, message) =>
      budget.spend(mailClass, message.to, async () => {
        try {
          await deliver(message);
          mails.inc({ outcome: 'sent' });
        } catch (error) {
          mails.inc({ outcome: 'failed' });
          throw error;
        }
      });
  };
  if (smtpUrl === undefined) return { local: true, send: sending((message) => storeInOutbox(database, message)) };
  let transport: ReturnType<typeof openTransport> | undefined;
  const deliver = async (message: MailMessage) => {
    transport ??= openTransport({ url: smtpUrl });
    await (await transport).sendMail({ from, ...message });
  };
  return { local: false, send: sending(deliver) };
}

/** Loads the package for SMTP with the first mail. */
async function openTransport(options: { url: string; connectionTimeout?: number; greetingTimeout?: number }) {
  const { createTransport } = await import('nodemailer');
  return createTransport(options);
}

/** Connects and signs in to the SMTP server. Throws its error, or a timeout after ten seconds. */
export async function verifySmtp(smtpUrl: string): Promise<void> {
  const transport = await openTransport({ url: smtpUrl, connectionTimeout: 10_000, greetingTimeout: 10_000 });
  await transport.verify().finally(() => transport.close());
}

const storeInOutbox = (database: Database, { to, subject, text, html }: MailMessage) =>
  database.global(async ({ db }) => {
    await db
      .insertInto('mail')
      .values({ id: newId(), recipient: to, subject, body_text: text, body_html: html })
      .execute();
  });
