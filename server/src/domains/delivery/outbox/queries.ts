import type { Tx } from '#database/database.ts';

export interface OutboxMail {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  sentAt: Date;
}

/** Returns the newest emails of the local outbox. */
export async function listNewestMails({ db }: Tx, most: number): Promise<OutboxMail[]> {
  return mails(db).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(most).execute();
}

/** Returns an email of the local outbox; undefined for an unknown ID. */
export const maybeMail = ({ db }: Tx, id: string): Promise<OutboxMail | undefined> =>
  mails(db).where('id', '=', id).executeTakeFirst();

const mails = (db: Tx['db']) =>
  db
    .selectFrom('mail')
    .select(['id', 'recipient', 'subject', 'body_text as text', 'body_html as html', 'created_at as sentAt']);
