import { sql } from 'kysely';
import { recordOwnAccountChange } from '#core/account-audit.ts';
import type { AccountActor } from '#core/actor.ts';
import { ATTEMPT_LIMITS, countAttempts, networkOf, refundAttempts } from '#core/attempts.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { queueSecurityNotice } from '../authentication/commands.ts';
import { consumeRecoveryCode } from './recovery-codes.ts';
import { totpStepOf } from './totp.ts';
import { openTotpSecret } from './totp-store.ts';

/** The method of a second factor, as stored in the audit log. */
export type Factor = 'authenticator app' | 'recovery code' | 'passkey';
/** `tooMany` contains the seconds to wait. */
export type FactorCheck = { tooMany: number } | { wrong: true } | { passed: Factor };

/** Counts an attempt for a code that is checked elsewhere. Returns the seconds to wait. */
export const countFactorAttempt = ({ database }: Services, { accountId, address }: AccountActor): Promise<number> =>
  database.global((tx) =>
    countAttempts(tx, [
      [ATTEMPT_LIMITS.secondFactorByAccount, accountId],
      [ATTEMPT_LIMITS.secondFactorByNetwork, networkOf(address ?? '')],
    ]),
  );

/** Counts an attempt, verifies it with `work`, and records the result. */
export async function checkFactor(
  services: Services,
  actor: AccountActor,
  tried: string,
  work: (tx: Tx) => Promise<Factor | undefined>,
): Promise<FactorCheck> {
  const wait = await countFactorAttempt(services, actor);
  if (wait > 0) return { tooMany: wait };
  return services.database.global(async (tx) => {
    const passed = await work(tx);
    const subject = { kind: 'account', id: actor.accountId } as const;
    await recordOwnAccountChange(tx, services.people, actor, {
      action: passed ? 'login.second_factor_passed' : 'login.second_factor_failed',
      subject,
      data: { factor: passed || tried },
    });
    if (!passed) return { wrong: true };
    await refundAttempts(tx, { cleared: [[ATTEMPT_LIMITS.secondFactorByAccount, actor.accountId]] });
    return { passed };
  });
}

/** Consumes a code of the authenticator app or a recovery code; undefined if it is neither. */
export async function consumeCode(
  services: Services,
  tx: Tx,
  accountId: string,
  code: string,
): Promise<Factor | undefined> {
  if (await spendTotpCode(services, tx, accountId, code)) return 'authenticator app';
  if (!(await consumeRecoveryCode(tx, accountId, code))) return undefined;
  await queueSecurityNotice(services, tx, accountId, 'recovery-code-used');
  return 'recovery code';
}

async function spendTotpCode({ secrets }: Services, { db }: Tx, accountId: string, code: string): Promise<boolean> {
  const row = await db
    .selectFrom('account_totp')
    .select('secret')
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  const step = row && totpStepOf(openTotpSecret(secrets, accountId, row.secret), code);
  if (step === undefined) return false;
  const { numUpdatedRows } = await db
    .updateTable('account_totp')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where(sql<boolean>`last_step < ${step}`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
