import type { FastifyReply } from 'fastify';
import { Refusal } from '#core/errors.ts';
import { acceptInvitation } from '../invitation-tickets/commands.ts';
import { beginPasskeySignIn } from '../second-factors/commands.ts';
import { findOwnFactors, hasAnyFactor } from '../second-factors/queries.ts';
import { backUrl } from './linking/back-url.ts';
import { showMergePrompt } from './linking/merge-pages.ts';
import { bothFactors } from './login-methods.ts';
import { rememberDevice } from './new-device.ts';
import { type SignInPage, signInPage } from './pages/sign-in.ts';
import { finishInteraction } from './sessions.ts';
import {
  initialEmailOf,
  type SignInAttempt,
  sendSignInPage,
  signInFormFields,
  unauthenticatedActor,
} from './sign-in-attempts.ts';
import { connectPendingLogin } from './upstream/identify.ts';

/**
 * Continues after a successful sign-in, with a password or passkey here or at an upstream provider: accepts an invitation,
 * asks to merge accounts, or returns to the application.
 */
export async function completeSignIn(
  visit: SignInAttempt,
  account: { id: string; email: string },
  amr: readonly string[],
): Promise<FastifyReply> {
  const { site, request, reply, interaction, authorizationParams, invitation, linkTicket } = visit;
  if (linkTicket) {
    if (account.id === linkTicket.accountId)
      return showSignIn(
        visit,
        { error: 'You are already signed in to this account. Sign in to the account that you want to merge.' },
        400,
      );
    return showMergePrompt(visit, linkTicket, account, amr);
  }
  if (authorizationParams.invitation !== undefined) {
    if (
      invitation &&
      authorizationParams.organization !== undefined &&
      authorizationParams.organization !== invitation.orgId
    ) {
      return showSignIn(visit, { error: 'This invitation belongs to a different organization.' }, 400);
    }
    const actor = { accountId: account.id, email: account.email, requestId: request.id, address: request.ip };
    try {
      await acceptInvitation(site.services, actor, authorizationParams.invitation);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return showSignIn(visit, { email: account.email, error: error.message, dropInvitation: true }, 400);
    }
  }
  await connectPendingLogin(site.services, interaction.uid, account, unauthenticatedActor(request));
  if (await isComplete(visit, account.id, amr)) await rememberDevice(site, request, reply, account.id);
  return reply.redirect(
    await finishInteraction(site.provider, { request, reply, interaction, accountId: account.id, amr }),
    303,
  );
}

/** Whether the sign-in needs no second factor. */
const isComplete = async ({ site }: SignInAttempt, accountId: string, amr: readonly string[]): Promise<boolean> =>
  amr.includes(bothFactors) ||
  !hasAnyFactor(await site.services.database.global((tx) => findOwnFactors(tx, accountId)));

export async function showSignIn(
  visit: SignInAttempt,
  overrides: Pick<SignInPage, 'email' | 'error' | 'dropInvitation'>,
  status = 200,
): Promise<FastifyReply> {
  const { site, interaction, authorizationParams, invitation, account, linkTicket } = visit;
  const otherAddressText =
    account && invitation?.state === 'open' && invitation.email !== account.email
      ? 'This invitation was sent to a different address. Sign in with that address.'
      : undefined;
  const outdated =
    authorizationParams.invitation !== undefined && invitation?.state !== 'open' ? outdatedInvitationText : undefined;
  const error = outdated ?? otherAddressText;
  const page = {
    ...signInFormFields(visit),
    email: initialEmailOf(visit),
    error,
    dropInvitation: error !== undefined,
    linkTo: linkTicket && { email: linkTicket.email, back: backUrl('', linkTicket.path, { error: 'cancelled' }) },
    passkey: await beginPasskeySignIn(site.services, interaction.uid),
    ...overrides,
  };
  return sendSignInPage(visit, signInPage(page), status, { script: true });
}

const outdatedInvitationText =
  'This invitation expired or was already used. If you are a member, sign in. Otherwise ask for a new invitation.';
