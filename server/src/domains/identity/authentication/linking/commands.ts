import {
  type LoginIdentity,
  passwordConnection,
  unlinkRefusedMessage,
} from '@sightline/contract/identity/identities.ts';
import { recordAccountChange } from '#core/account-audit.ts';
import type { AccountActor } from '#core/actor.ts';
import { countAttempts } from '#core/attempts.ts';
import { Conflict, NotFound, TooManyAttempts } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { lockAccount } from '../account-lock.ts';
import { enqueueMail } from '../jobs.ts';
import { detachIdentity } from './identities.ts';
import { findIdentities } from './queries.ts';
import { recordRefusal } from './refusals.ts';
import { createTicket } from './tickets.ts';

const started = { name: 'link started', most: 20, windowSeconds: 3600 };

/** Creates a ticket to connect another login. The browser continues at `url`. */
export async function startLinkOf(
  services: Services,
  actor: AccountActor,
  { connection, path }: { connection: string; path: string },
): Promise<{ url: string }> {
  if (connection !== passwordConnection && !services.upstreams.has(connection)) throw NotFound('Login');
  return services.database.global(async (tx) => {
    const wait = await countAttempts(tx, [[started, actor.accountId]]);
    if (wait > 0) throw TooManyAttempts(wait);
    const ticket = await createTicket(tx, { accountId: actor.accountId, connection, path });
    return { url: `/oidc/link?ticket=${ticket}` };
  });
}

/** Disconnects an identity. Throws the same 404 for an unknown identity and for one of another account. */
export async function unlinkIdentityOf(services: Services, actor: AccountActor, id: string): Promise<LoginIdentity[]> {
  const { upstreams } = services;
  const left = await services.database.global(async (tx) => {
    await lockAccount(tx, actor.accountId);
    const all = await findIdentities(tx, actor, upstreams);
    const identity = all.find((one) => one.id === id) ?? singleOf(all.filter((one) => one.user_id === id));
    if (!identity) return undefined;
    if (identity.blocked !== null) throw Conflict(unlinkRefusedMessage);
    const { connection } = identity;
    if (connection === passwordConnection) await forgetPassword(tx, actor.accountId);
    else await detachIdentity(tx, actor.accountId, connection, identity.user_id);
    await recordAccountChange(tx, {
      people: services.people,
      accountId: actor.accountId,
      actor,
      entry: {
        action: 'identity.unlinked',
        data: { connection },
        personal: { subject: identity.user_id },
      },
    });
    await enqueueMail(services, tx, { kind: 'notice', accountId: actor.accountId, notice: 'identity-unlinked' });
    return findIdentities(tx, actor, upstreams);
  });
  if (left) return left;
  const owner = await services.database.global((tx) => ownerOf(tx, id));
  if (owner !== undefined)
    await recordRefusal(services, { accountIds: [actor.accountId, owner], actor, reason: 'login of another' });
  throw NotFound('Login');
}

const singleOf = <T>(found: T[]): T | undefined => (found.length === 1 ? found[0] : undefined);

const forgetPassword = (tx: Tx, accountId: string): Promise<unknown> =>
  tx.db.deleteFrom('account_password').where('account_id', '=', accountId).execute();

async function ownerOf({ db }: Tx, id: string): Promise<string | undefined> {
  const [connection = '', ...subject] = id.split('|');
  const row = await db
    .selectFrom('account_identity')
    .select('account_id')
    .where('connection', '=', connection)
    .where('subject', '=', subject.join('|'))
    .executeTakeFirst();
  return row?.account_id;
}
