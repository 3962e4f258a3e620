import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { findOrCreateAccount } from '../addresses.ts';
import { enqueueMail } from '../jobs.ts';
import { invalidateLinks } from '../links.ts';
import type { PendingUpstreamLogin } from './pending-logins.ts';

/**
 * Emails a confirmation link for the address of a pending external login. The response does not reveal whether the
 * address has an account; only the email does.
 */
export const requestAddress = (
  services: Services,
  pending: PendingUpstreamLogin,
  email: string,
  ticket: string | undefined,
) =>
  services.database.global(async (tx) => {
    const account = await findOrCreateAccount(services, tx, { email, name: pending.person.name });
    if (!account) {
      await enqueueMail(services, tx, { kind: 'not-admitted', email });
      return { accountId: newId(), verified: false };
    }
    const { id: accountId, verified } = account;
    if (!verified) await invalidateLinks(tx, 'EmailConfirmation', accountId);
    const more = { ...(ticket !== undefined && { ticket }), identity: pending.id };
    await enqueueMail(services, tx, verified ? { kind: 'known', accountId } : { kind: 'confirm', accountId, ...more });
    return { accountId, verified };
  });
