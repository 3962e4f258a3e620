import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { renderNoticePage } from '#core/pages/frame.ts';
import { checkCode } from '../../second-factors/commands.ts';
import { findOwnFactors, hasAnyFactor } from '../../second-factors/queries.ts';
import { bothFactors } from '../login-methods.ts';
import { mergePage } from '../pages/merge.ts';
import { type SignInAttempt, sendExpiredPage, sendSignInPage, signInFormFields } from '../sign-in-attempts.ts';
import { sendTooManyAttempts } from '../sign-in-context.ts';
import { findAccountProof, storeAccountProof } from './account-proof.ts';
import { backUrl } from './back-url.ts';
import { mergeAccounts } from './merge.ts';
import { recordRefusal } from './refusals.ts';
import { type LinkTicket, useTicket } from './tickets.ts';

const posted = z.object({ code: z.string().max(100).default('') }).catch({ code: '' });

interface Other {
  id: string;
  email: string;
}

/** After the first factor of the other account, requests its second factor and a confirmation of the merge. */
export async function showMergePrompt(
  visit: SignInAttempt,
  linkTicket: LinkTicket,
  other: Other,
  amr: readonly string[],
): Promise<FastifyReply> {
  const { services } = visit.site;
  const whole = amr.includes(bothFactors);
  await services.database.global((tx) => storeAccountProof(tx, visit.interaction.uid, { id: other.id, whole }));
  if (whole) return showMerge(visit, { linkTicket, other, askCode: false });
  const factors = await services.database.global((tx) => findOwnFactors(tx, other.id));
  if (hasAnyFactor(factors) && !factors.totp)
    return sendSignInPage(visit, passkeyPage(linkTicket, other, visit.interaction.uid), 409);
  return showMerge(visit, { linkTicket, other, askCode: factors.totp });
}

/** Handles the form that `showMergePrompt` renders. */
export async function postMerge(visit: SignInAttempt): Promise<FastifyReply> {
  const { site, request, reply, interaction, linkTicket } = visit;
  const { database, config } = site.services;
  const other = await database.global((tx) => findAccountProof(tx, interaction.uid));
  if (!linkTicket || !other) return sendExpiredPage(site, reply);
  const actor = { accountId: linkTicket.accountId, requestId: request.id, address: request.ip };
  const factors = await database.global((tx) => findOwnFactors(tx, other.id));
  if (hasAnyFactor(factors) && !other.whole) {
    const otherActor = { accountId: other.id, email: other.email, requestId: request.id, address: request.ip };
    const checked = await checkCode(
      site.services,
      { ...otherActor, sessionId: undefined },
      posted.parse(request.body).code,
    );
    if ('tooMany' in checked) return sendTooManyAttempts(site, reply, checked.tooMany);
    if ('wrong' in checked) {
      await recordRefusal(site.services, { accountIds: [other.id], actor, reason: 'second factor missing' });
      return showMerge(visit, { linkTicket, other, askCode: true, error: 'The code is wrong.' });
    }
  }
  if (!(await database.global((tx) => useTicket(tx, linkTicket.token)))) return sendExpiredPage(site, reply);
  await mergeAccounts(site.services, linkTicket.accountId, other.id, actor);
  await interaction.destroy();
  return reply.redirect(backUrl(config.PUBLIC_URL, linkTicket.path, { merged: 'yes' }), 303);
}

async function showMerge(
  visit: SignInAttempt,
  {
    linkTicket,
    other,
    askCode,
    error,
  }: { linkTicket: LinkTicket; other: Other; askCode: boolean; error?: string | undefined },
) {
  const { uid, csrf } = signInFormFields(visit);
  const organizations = await visit.site.services.database.withAccount(other, ({ db }) =>
    db
      .selectFrom('organization as o')
      .innerJoin('member as m', 'm.org_id', 'o.id')
      .select('o.display_name')
      .where('m.account_id', '=', other.id)
      .orderBy('o.display_name')
      .orderBy('o.id')
      .execute(),
  );
  const page = mergePage({
    uid,
    csrf,
    back: backUrl('', linkTicket.path, { error: 'cancelled' }),
    keeps: linkTicket.email,
    goes: other.email,
    organizations: organizations.map((row) => row.display_name),
    askCode,
    error,
  });
  return sendSignInPage(visit, page, error === undefined ? 200 : 400);
}

const passkeyPage = (linkTicket: LinkTicket, other: Other, uid: string): string =>
  renderNoticePage(
    'Sign in with the passkey',
    [
      `${other.email} is protected by a passkey. To link it to ${linkTicket.email}, sign in to it with that passkey.`,
      'A security key without user verification is not sufficient. Add an authenticator app to that account first.',
    ],
    { href: `/oidc/interaction/${uid}?screen=sign-in`, label: 'Sign in with the passkey' },
  );
