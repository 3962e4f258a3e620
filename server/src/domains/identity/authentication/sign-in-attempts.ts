import { samlConnectionOf } from '@sightline/contract/identity/saml.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AccountAuditActor } from '#core/account-audit.ts';
import { sendPage } from '#core/pages/security.ts';
import type { IdentityProvider } from '#providers/upstream/upstream.ts';
import { findInvitation, type PresentedInvitation } from '../invitation-tickets/queries.ts';
import { findUpstream } from '../saml/queries.ts';
import { findOwnTicket, type LinkTicket } from './linking/tickets.ts';
import { type Interaction, maybeInteraction } from './sessions.ts';
import type { SignInContext } from './sign-in-context.ts';

const params = z.object({
  invitation: z.string().optional(),
  organization: z.string().optional(),
  screen_hint: z.string().optional(),
  connection: z.string().optional(),
  link: z.string().max(200).optional(),
  login_hint: z.string().max(320).optional(),
  redirect_uri: z.string().optional(),
  prompt: z.string().optional(),
  max_age: z.coerce.number().optional(),
});

/** The context of each page of one sign-in. */
export interface SignInAttempt {
  site: SignInContext;
  request: FastifyRequest;
  reply: FastifyReply;
  interaction: Interaction;
  authorizationParams: z.output<typeof params>;
  invitation: PresentedInvitation | undefined;
  /** The account that is already signed in. */
  account: { id: string; email: string } | undefined;
  /** The SAML login of the organization that was requested; undefined without one. */
  samlLogin: IdentityProvider | undefined;
  /** Set if the sign-in is to another account, which is then merged into the signed-in account. */
  linkTicket: LinkTicket | undefined;
}

/** A route of one sign-in: only in the browser that started it, and for POST only with our own form. */
export const signInRoute =
  (site: SignInContext, work: (visit: SignInAttempt) => Promise<FastifyReply>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (request.method === 'POST' && !site.csrf.check(request)) return sendExpiredPage(site, reply);
    const visit = await findSignInAttempt(site, request, reply, (request.params as { uid: string }).uid);
    return visit ? work(visit) : sendExpiredPage(site, reply);
  };

/** The sign-in `uid` if this browser started it. */
export async function findSignInAttempt(
  site: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  uid: string,
): Promise<SignInAttempt | undefined> {
  const { services, provider } = site;
  const interaction = await maybeInteraction(provider, request, reply, services.config.PUBLIC_URL);
  if (interaction?.uid !== uid) return undefined;
  const authorizationParams = params.parse(interaction.params);
  const invitation =
    authorizationParams.invitation === undefined
      ? undefined
      : await findInvitation(services, authorizationParams.invitation);
  const account = await signedIn(site, interaction);
  const linkTicket =
    authorizationParams.link === undefined
      ? undefined
      : await services.database.global((tx) => findOwnTicket(tx, authorizationParams.link ?? '', account?.id));
  // A ticket of another account or an expired ticket cannot be used for linking.
  if (authorizationParams.link !== undefined && !linkTicket) return undefined;
  const { organization } = authorizationParams;
  const samlLogin =
    organization === undefined || linkTicket ? undefined : await findUpstream(services, samlConnectionOf(organization));
  return { site, request, reply, interaction, authorizationParams, invitation, account, linkTicket, samlLogin };
}

/** The initial email address: the requested one, or that of an open invitation. */
export const initialEmailOf = ({ authorizationParams, invitation }: SignInAttempt): string | undefined =>
  authorizationParams.login_hint ??
  (invitation?.by === 'mail' && invitation.state === 'open' ? invitation.email : undefined);

/** The fields of every form of a sign-in. */
export const signInFormFields = ({ site, request, reply, interaction, invitation, samlLogin }: SignInAttempt) => ({
  uid: interaction.uid,
  csrf: site.csrf.issue(request, reply),
  upstreams: [...(samlLogin ? [samlLogin] : []), ...site.services.upstreams.values()],
  organization: invitation?.state === 'open' ? invitation.organization : undefined,
});

export const sendSignInPage = (
  { site, reply, authorizationParams }: SignInAttempt,
  page: string,
  status = 200,
  { script = false } = {},
): FastifyReply =>
  sendPage(site.services.config, reply.status(status), page, { formTarget: authorizationParams.redirect_uri, script });

export const sendExpiredPage = (site: SignInContext, reply: FastifyReply): FastifyReply =>
  sendPage(site.services.config, reply.status(400), site.expiredPage);

/** The actor of audit entries for an unauthenticated client. */
export const unauthenticatedActor = ({ id, ip }: FastifyRequest): AccountAuditActor => ({
  accountId: undefined,
  requestId: id,
  address: ip,
});

async function signedIn(
  { services }: SignInContext,
  { session }: Interaction,
): Promise<{ id: string; email: string } | undefined> {
  if (session === undefined) return undefined;
  return services.database.global(({ db }) =>
    db
      .selectFrom('account')
      .select(['id', 'email'])
      .where('id', '=', session.accountId)
      .where('email_verified_at', 'is not', null)
      .executeTakeFirst(),
  );
}
