import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { createConfirmation } from './confirmations.ts';
import { confirmMail, knownAddressMail } from './mails.ts';

/** `confirm` asks to confirm the address, `known` says that there is an account already. Secrets are made by the job. */
export interface MailJob {
  kind: 'confirm' | 'known';
  accountId: string;
  ticket?: string;
}

declare module '#core/jobs.ts' {
  interface JobData {
    'identity.mail': MailJob;
  }
}

export const identityJobs = (services: Services): JobDefinition[] => [
  { name: 'identity.mail', handle: (data) => sendMail(services, data), concurrency: 2, expireMinutes: 2 },
];

async function sendMail({ database, mail, config }: Services, { kind, accountId, ticket }: MailJob): Promise<void> {
  const message = await database.global(async (tx) => {
    const account = await tx.db
      .selectFrom('account')
      .select(['email', 'email_verified_at'])
      .where('id', '=', accountId)
      .executeTakeFirst();
    // Asked for an id nobody has, or confirmed in the meantime: there is nothing to say.
    if (!account || (kind === 'confirm' && account.email_verified_at)) return undefined;
    if (kind === 'known') return knownAddressMail(account.email, config.PUBLIC_URL);
    return confirmMail(account.email, config.PUBLIC_URL, await createConfirmation(tx, accountId, ticket));
  });
  if (message) await mail.send(message);
}
