import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { timeInWords } from '#core/day.ts';
import { deviceNameOf } from '../sessions/queries.ts';
import { enqueueMail } from './jobs.ts';
import type { SignInSite } from './site.ts';

/** Remembers a browser whose sign-in is complete. Of one that is new to the account its owner gets an e-mail. */
export async function rememberDevice(
  { devices, services }: SignInSite,
  request: FastifyRequest,
  reply: FastifyReply,
  accountId: string,
): Promise<void> {
  if (await devices.remember(request, reply, accountId)) return;
  await services.database.global(async (tx) => {
    // The first device of an account is no news to whoever just opened it.
    const old = await tx.db
      .selectFrom('account')
      .select('id')
      .where('id', '=', accountId)
      .where('created_at', '<', sql<Date>`now() - interval '1 hour'`)
      .executeTakeFirst();
    if (!old) return;
    const device = deviceNameOf(request.headers['user-agent'] ?? '') || 'Unknown browser';
    const details = `${device}, from ${request.ip}, on ${timeInWords(new Date())}.`;
    await enqueueMail(services, tx, { kind: 'notice', accountId, notice: 'new-device', details });
  });
}
