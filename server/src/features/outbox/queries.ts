import type { Tx } from '#database/database.ts';

export interface OutboxMail {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  sentAt: Date;
}

/** The newest mails that did not leave this machine. */
export async function listNewestMails({ db }: Tx, most: number): Promise<OutboxMail[]> {
  return db
    .selectFrom('mail')
    .select(['id', 'recipient', 'subject', 'body_text as text', 'body_html as html', 'created_at as sentAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}
