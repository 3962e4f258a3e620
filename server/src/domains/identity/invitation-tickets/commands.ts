import type { AccountActor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { findInvitationKey } from './queries.ts';
import { invitationPresented } from './topics.ts';

/**
 * Makes the account a member according to its invitation, once. Throws 404 for an unknown invitation, 410 for an
 * expired one, 403 if it was sent to another address or the membership was deactivated. Accepting one's own accepted
 * invitation again succeeds.
 */
export async function acceptInvitation(services: Services, account: AccountActor, token: string): Promise<void> {
  const key = await findInvitationKey(services, token);
  if (!key) throw NotFound('Invitation');
  const { orgId } = key;
  await services.database.withOrg(orgId, (tx) =>
    services.topics.publish({ services, tx, orgId }, invitationPresented, { account, key }),
  );
}
