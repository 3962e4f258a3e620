import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { hostCookieOptions, usesSecureCookies } from '#core/cookies.ts';
import { passwordLogin } from './login-methods.ts';
import { rewriteToPublicUrl } from './mount.ts';
import { sessionSeconds } from './provider.ts';

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** The current sign-in of this browser; undefined if it expired, was completed, or never existed. */
export async function maybeInteraction(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): Promise<Interaction | undefined> {
  rewriteToPublicUrl(request, publicUrl);
  try {
    return await provider.interactionDetails(request.raw, reply.raw);
  } catch (error) {
    if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
    throw error;
  }
}

/** Signs the account in and returns the next URL of the browser. */
export async function finishInteraction(
  provider: Provider,
  {
    request,
    reply,
    interaction,
    accountId,
    amr = [passwordLogin],
  }: {
    request: FastifyRequest;
    reply: FastifyReply;
    interaction: Interaction;
    accountId: string;
    amr?: readonly string[] | undefined;
  },
): Promise<string> {
  const before = interaction.session;
  if (before && before.accountId !== accountId) {
    await endSession(provider, before.uid);
    delete interaction.session;
    await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
  }
  return provider.interactionResult(request.raw, reply.raw, { login: { accountId, amr: [...amr] } });
}

/** Creates a session outside of a sign-in for a browser that just authenticated. */
export async function startSession(
  provider: Provider,
  {
    request,
    reply,
    publicUrl,
    accountId,
    amr = [passwordLogin],
  }: {
    request: FastifyRequest;
    reply: FastifyReply;
    publicUrl: string;
    accountId: string;
    amr?: readonly string[] | undefined;
  },
): Promise<void> {
  rewriteToPublicUrl(request, publicUrl);
  const context = provider.createContext(request.raw, reply.raw);
  const before = await provider.Session.get(context as never);
  if (before.accountId !== undefined) await endSession(provider, before.uid);
  const session = new provider.Session();
  session.loginAccount({ accountId, amr: [...amr] });
  await session.save(sessionSeconds);
  context.cookies.set(provider.cookieName('session'), session.jti, {
    ...hostCookieOptions(usesSecureCookies({ PUBLIC_URL: publicUrl })),
    signed: true,
    maxAge: sessionSeconds * 1000,
  });
}

/** The account of the session of this browser; undefined for none. */
export async function sessionAccount(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): Promise<string | undefined> {
  rewriteToPublicUrl(request, publicUrl);
  const context = provider.createContext(request.raw, reply.raw);
  return (await provider.Session.get(context as never)).accountId;
}

async function endSession(provider: Provider, uid: string): Promise<void> {
  const session = await provider.Session.findByUid(uid);
  if (!session) return;
  for (const { grantId } of Object.values(session.authorizations ?? {})) {
    if (grantId === undefined) continue;
    await provider.RefreshToken.revokeByGrantId(grantId);
    await provider.AuthorizationCode.revokeByGrantId(grantId);
    await (await provider.Grant.find(grantId))?.destroy();
  }
  await session.destroy();
}
