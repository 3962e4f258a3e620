import nodemailer from 'nodemailer';
import { newId } from '#core/ids.ts';
import type { Database } from '#database/database.ts';

export interface Message {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mail {
  send: (message: Message) => Promise<void>;
  /** True where mails land in the local outbox instead of leaving this machine. */
  local: boolean;
}

/** SMTP where configured; otherwise an outbox in the database, which a page shows outside production. */
export function createMail(smtpUrl: string | undefined, from: string, database: Database): Mail {
  if (smtpUrl === undefined) return { local: true, send: (message) => keep(database, message) };
  const transport = nodemailer.createTransport(smtpUrl);
  return {
    local: false,
    send: async (message) => {
      await transport.sendMail({ from, ...message });
    },
  };
}

const keep = (database: Database, { to, subject, text, html }: Message) =>
  database.global(async ({ db }) => {
    await db
      .insertInto('mail')
      .values({ id: newId(), recipient: to, subject, body_text: text, body_html: html })
      .execute();
  });
