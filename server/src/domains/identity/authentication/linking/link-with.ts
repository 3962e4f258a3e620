import { freshSignInSeconds } from '@sightline/contract/identity/identities.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors, jwtVerify } from 'jose';
import { sql } from 'kysely';
import { z } from 'zod';
import { type AccountActor, requireAccountActor } from '#core/actor.ts';
import { Forbidden, Invalid, NotFound, Refusal } from '#core/errors.ts';
import { sendErrorResponse } from '#core/http.ts';
import { assertMayChangeSignIn } from '#core/step-up.ts';
import { issuerOf } from '#core/tokens.ts';
import { webClientId } from '../provider.ts';
import type { SignInContext } from '../sign-in-context.ts';
import { mergeAccounts } from './merge.ts';
import { findIdentities } from './queries.ts';
import { type AccountRefusalReason, recordRefusal } from './refusals.ts';

const body = z.strictObject({ link_with: z.string().max(20_000) });

/**
 * Links accounts in the way of Auth0: with an access token of one account, and an ID token of the other in `link_with`.
 * Both sign-ins must be less than five minutes old. Only the two tokens identify the accounts.
 */
export function linkWithRoute(app: FastifyInstance, site: SignInContext): void {
  app.post('/oidc/api/v2/users/:id/identities', { bodyLimit: 30_000 }, async (request, reply) => {
    try {
      return await link(site, request, reply);
    } catch (error) {
      return sendErrorResponse(error, request, reply);
    }
  });
}

async function link(site: SignInContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { services } = site;
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const actor = requireAccountActor(bearer === undefined ? undefined : await services.verifyToken(bearer), request);
  const { id } = request.params as { id: string };
  if (id !== actor.accountId) {
    await recordRefusal(services, {
      accountIds: [actor.accountId, isUuid(id) ? id : undefined],
      actor,
      reason: 'account of another',
    });
    throw NotFound('User');
  }
  const given = body.safeParse(request.body);
  if (!given.success) throw Invalid('link_with', 'must be an ID token');
  await requireFresh(site, actor);
  const other = await otherAccount(site, actor, given.data.link_with);
  await mergeAccounts(services, actor.accountId, other, actor);
  const identities = await services.database.global((tx) => findIdentities(tx, actor, services.upstreams));
  return reply.status(201).send(
    identities.map(({ connection, provider, user_id, profileData }) => ({
      connection,
      provider,
      user_id,
      profileData,
      isSocial: provider !== 'auth0',
    })),
  );
}

async function requireFresh({ services }: SignInContext, actor: AccountActor): Promise<void> {
  try {
    await services.database.global((tx) => assertMayChangeSignIn(tx, actor));
  } catch (error) {
    if (error instanceof Refusal)
      await recordRefusal(services, { accountIds: [actor.accountId], actor, reason: 'stale proof' });
    throw error;
  }
}

/** The account that an ID token of Sightline proves. Records the attempt and throws 403 for any other token. */
async function otherAccount({ services, keys }: SignInContext, actor: AccountActor, token: string): Promise<string> {
  const no = async (reason: AccountRefusalReason, victim?: string): Promise<never> => {
    await recordRefusal(services, { accountIds: [actor.accountId, victim], actor, reason });
    throw Forbidden('link_with does not prove another account. Sign in to it again and try again.');
  };
  let payload: Awaited<ReturnType<typeof jwtVerify>>['payload'];
  try {
    ({ payload } = await jwtVerify(token, keys.find, {
      issuer: issuerOf(services.config.PUBLIC_URL),
      audience: webClientId,
      algorithms: ['RS256'],
      requiredClaims: ['sub', 'iat', 'exp', 'auth_time'],
      maxTokenAge: freshSignInSeconds,
    }));
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    // Claims are validated after the signature, so after these errors the subject is authentic.
    const isSigned = error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed;
    const victim = isSigned && isUuid(String(error.payload.sub)) ? String(error.payload.sub) : undefined;
    return no(error instanceof errors.JWTExpired ? 'stale proof' : 'proof not acceptable', victim);
  }
  const { sub = '', auth_time } = payload;
  if (!isUuid(sub) || sub === actor.accountId) return no('proof not acceptable');
  if (typeof auth_time !== 'number' || Date.now() / 1000 - auth_time > freshSignInSeconds)
    return no('stale proof', sub);
  if (await hasNewerPassword(services, sub, auth_time)) return no('stale proof', sub);
  return sub;
}

/** Whether the password changed after a sign-in, which invalidates a proof by the old password. */
const hasNewerPassword = (
  { database }: SignInContext['services'],
  accountId: string,
  authTime: number,
): Promise<boolean> =>
  database.global(async ({ db }) => {
    const row = await db
      .selectFrom('account_password')
      .select(sql<boolean>`date_trunc('second', changed_at) > to_timestamp(${authTime}::float8)`.as('newer'))
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row?.newer ?? false;
  });

const isUuid = (text: string): boolean => z.uuid().safeParse(text).success;
