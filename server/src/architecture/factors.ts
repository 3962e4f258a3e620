import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { newId } from '#core/ids.ts';
import type { TestAccount, TestServer } from '#testing/server.ts';
import { hashPassword } from '../domains/identity/authentication/passwords.ts';
import { rememberChallenge } from '../domains/identity/second-factors/challenges.ts';
import { createAuthenticator } from '../domains/identity/second-factors/testing/authenticator.ts';
import { totpCodeOf } from '../domains/identity/second-factors/testing/session.ts';
import { createTotpSecret, totpSetupOf } from '../domains/identity/second-factors/totp.ts';
import { sealSetup, sealTotpSecret } from '../domains/identity/second-factors/totp-store.ts';

/** The same for every account of a test. Each account reauthenticates only itself. */
export const seededPassword = 'correct horse battery';
export const seededRecoveryCode = 'abcd-efgh-jkmn-pqrs';

/** The sign-in factors of an owner, and factors that they can add. */
export interface SeededFactors {
  /** Another session of the owner. */
  sessionId: string;
  /** A registered passkey. */
  passkeyId: string;
  /** A passkey that a browser has just created. */
  newPasskey: Record<string, unknown>;
  /** The setup of an authenticator app that is not confirmed. */
  totpSetup: string;
  totpCode: () => string;
}

let hash: Promise<string> | undefined;

/** Gives an account a password, a passkey with recovery codes and a second session. */
export async function insertFactors(server: TestServer, owner: TestAccount): Promise<SeededFactors> {
  const { services, config } = server;
  const secret = createTotpSecret();
  const { secret: base32 } = await totpSetupOf(secret, owner.email);
  const challenge = randomBytes(32).toString('base64url');
  const factors = {
    sessionId: newId(),
    passkeyId: newId(),
    newPasskey: createAuthenticator(config.PUBLIC_URL).create({ challenge }),
    totpSetup: sealSetup(services.secrets, owner.id, secret),
    totpCode: () => totpCodeOf(base32),
  };
  await services.database.global((tx) =>
    rememberChallenge(tx, { model: 'PasskeyCreation', owner: owner.id, challenge }),
  );
  await resetSeededFactors(server, owner, factors);
  return factors;
}

/** Restores the factors. `withApp` adds an authenticator app. */
export async function resetSeededFactors(
  { services, config }: TestServer,
  { id }: TestAccount,
  { sessionId, passkeyId }: SeededFactors,
  withApp = false,
): Promise<void> {
  hash ??= hashPassword(seededPassword, config);
  const known = { account_id: id, hash: await hash };
  const session = { id: sessionId, uid: `other ${sessionId}`, account_id: id, user_agent: '', ended_at: null };
  await services.database.global(async ({ db }) => {
    await db.deleteFrom('account_passkey').where('account_id', '=', id).execute();
    await db.deleteFrom('account_totp').where('account_id', '=', id).execute();
    await db.deleteFrom('account_recovery_code').where('account_id', '=', id).execute();
    await db
      .insertInto('account_passkey')
      .values({
        id: passkeyId,
        account_id: id,
        name: 'Blue key',
        credential_id: passkeyId,
        public_key: Buffer.alloc(1),
        counter: 0,
        transports: [],
        synced: false,
      })
      .execute();
    const codeHash = createHash('sha256').update(seededRecoveryCode.replaceAll('-', '')).digest();
    await db.insertInto('account_recovery_code').values({ account_id: id, hash: codeHash }).execute();
    if (withApp) {
      const secret = sealTotpSecret(services.secrets, id, createTotpSecret());
      await db.insertInto('account_totp').values({ account_id: id, secret, last_step: 0 }).execute();
    }
    await db
      .insertInto('account_password')
      .values(known)
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(known))
      .execute();
    await db
      .insertInto('account_session')
      .values(session)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(session))
      .execute();
    await db.updateTable('account_session').set({ authenticated_at: sql`now()` }).execute();
    await db
      .updateTable('oidc_payload')
      .set({ consumed_at: null })
      .where('model', '=', 'PasskeyCreation')
      .where('uid', '=', id)
      .execute();
    await db.deleteFrom('attempt').execute();
  });
}
