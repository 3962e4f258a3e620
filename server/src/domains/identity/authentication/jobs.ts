import { newId } from '#core/ids.ts';
import type { JobDefinition } from '#core/jobs.ts';
import { registrationRule } from '#core/registration.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { MailMessage } from '#providers/mail.ts';
import { MailBudgetExceeded } from '#providers/mail-budget.ts';
import { publishUnitedPersons, uniteAlikePersons } from './linking/hand-over.ts';
import { createLink } from './links.ts';
import { recordFailedSignIn } from './login-audit.ts';
import { confirmMail, knownAddressMail, notAdmittedMail, noticeMail, resetMail, type SecurityNotice } from './mails.ts';

/**
 * `confirm` requests confirmation of the address, and `known` reports that an account already exists. `reset` contains
 * the link to a new password, and `notice` reports a security-relevant change. The job creates the secrets, so that the
 * queue contains none.
 */
export interface AccountMail {
  kind: 'confirm' | 'known' | 'reset' | 'notice';
  accountId: string;
  ticket?: string;
  /** For `confirm`: the pending external login. */
  identity?: string;
  notice?: SecurityNotice;
  /** For `notice`: location and time. */
  details?: string;
}

/** Informs the owner of an address that it may not sign up. */
interface NotAdmittedMail {
  kind: 'not-admitted';
  email: string;
}

export type MailJob = AccountMail | NotAdmittedMail;

const mailClassOf = {
  'not-admitted': 'confirmation',
  confirm: 'confirmation',
  known: 'confirmation',
  reset: 'reset',
  notice: 'security',
} as const;

declare module '#core/jobs.ts' {
  interface JobData {
    'identity.mail': MailJob;
  }
}

/** Sends an email once the transaction commits. */
export const enqueueMail = ({ jobs }: Services, tx: Tx, data: MailJob): Promise<void> =>
  jobs.enqueue(tx, 'identity.mail', data, { key: newId() });

export const identityJobs = (services: Services): JobDefinition[] => [
  { name: 'identity.mail', handle: (data) => sendMail(services, data), concurrency: 2, expireMinutes: 2 },
  { name: 'identity.sign-in-failed', handle: (data) => recordFailedSignIn(services, data), expireMinutes: 2 },
  { name: 'people.unite', handle: (data) => uniteAlikePersons(services, data) },
  { name: 'identity.unite', handle: ({ orgId, from, into }) => publishUnitedPersons(services, orgId, from, into) },
];

async function sendMail(services: Services, job: MailJob): Promise<void> {
  const { mail, config, log } = services;
  const message =
    job.kind === 'not-admitted'
      ? notAdmittedMail(job.email, config.PUBLIC_URL, registrationRule(config))
      : await accountMail(services, job);
  if (!message) return;
  await mail.send(mailClassOf[job.kind], message).catch((error: unknown) => {
    // The email is not retried: it would arrive too late, and the recipient can request another.
    if (!(error instanceof MailBudgetExceeded)) throw error;
    log.warn({ kind: job.kind }, 'mail not sent: the budget of its recipient is spent');
  });
}

const accountMail = (
  { database, config }: Services,
  { kind, accountId, ticket, identity, notice, details }: AccountMail,
): Promise<MailMessage | undefined> =>
  database.global(async (tx) => {
    const account = await tx.db
      .selectFrom('account')
      .select(['email', 'email_verified_at'])
      .where('id', '=', accountId)
      .executeTakeFirst();
    // The account does not exist, or was confirmed in the meantime.
    if (!account || (kind === 'confirm' && account.email_verified_at)) return undefined;
    if (kind === 'notice') return notice && noticeMail(account.email, config.PUBLIC_URL, notice, details);
    if (kind === 'known') return knownAddressMail(account.email, config.PUBLIC_URL);
    if (kind === 'reset') {
      return resetMail(
        account.email,
        config.PUBLIC_URL,
        await createLink(tx, { model: 'PasswordReset', accountId, hours: 1 }),
      );
    }
    const payload = { ...(ticket !== undefined && { ticket }), ...(identity !== undefined && { identity }) };
    const token = await createLink(tx, { model: 'EmailConfirmation', accountId, hours: 24, payload });
    return confirmMail(account.email, config.PUBLIC_URL, token);
  });
