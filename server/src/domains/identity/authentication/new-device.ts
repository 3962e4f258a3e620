import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { formatTime } from '#core/day.ts';
import { deviceNameOf } from '../sessions/queries.ts';
import { enqueueMail } from './jobs.ts';
import type { SignInContext } from './sign-in-context.ts';

/** Remembers a browser after a complete sign-in. Notifies the owner by email if the browser is new to the account. */
export async function rememberDevice(
  { devices, services }: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  accountId: string,
): Promise<void> {
  if (await devices.remember(request, reply, accountId)) return;
  await services.database.global(async (tx) => {
    // The first device of a new account needs no notification.
    const old = await tx.db
      .selectFrom('account')
      .select('id')
      .where('id', '=', accountId)
      .where('created_at', '<', sql<Date>`now() - interval '1 hour'`)
      .executeTakeFirst();
    if (!old) return;
    const device = deviceNameOf(request.headers['user-agent'] ?? '') || 'Unknown browser';
    const details = `${device}, from ${request.ip}, on ${formatTime(new Date())}.`;
    await enqueueMail(services, tx, { kind: 'notice', accountId, notice: 'new-device', details });
  });
}
