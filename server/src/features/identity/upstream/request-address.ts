import type { Services } from '#core/services.ts';
import { claimAddress } from '../addresses.ts';
import { enqueueMail } from '../jobs.ts';
import { forgetLinks } from '../links.ts';
import type { Pending } from './pending.ts';

/**
 * Asks by mail to confirm the address that a pending identity wants. The answer is the same whether the address has an
 * account or not: only the mail tells its owner.
 */
export const requestAddress = (services: Services, pending: Pending, email: string, ticket: string | undefined) =>
  services.database.global(async (tx) => {
    const { id: accountId, verified } = await claimAddress(tx, { email, name: pending.person.name });
    if (!verified) await forgetLinks(tx, 'EmailConfirmation', accountId);
    const more = { ...(ticket !== undefined && { ticket }), identity: pending.id };
    await enqueueMail(services, tx, verified ? { kind: 'known', accountId } : { kind: 'confirm', accountId, ...more });
    return { accountId, verified };
  });
