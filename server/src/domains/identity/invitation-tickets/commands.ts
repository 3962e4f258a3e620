import type { AccountActor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { maybeKey } from './queries.ts';
import { invitationPresented } from './topics.ts';

/**
 * Makes the account a member as its invitation says, once. Throws 404 for no invitation, 410 when it is over,
 * 403 when it was sent to another address or the membership was deactivated. An accepted one of one's own is fine.
 */
export async function acceptInvitation(services: Services, account: AccountActor, token: string): Promise<void> {
  const key = await maybeKey(services, token);
  if (!key) throw NotFound('Invitation');
  const { orgId } = key;
  await services.database.withOrg(orgId, (tx) =>
    services.topics.publish({ services, tx, orgId }, invitationPresented, { account, key }),
  );
}
