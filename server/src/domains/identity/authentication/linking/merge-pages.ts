import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { notice } from '#core/pages/frame.ts';
import { checkCode } from '../../second-factors/commands.ts';
import { findOwnFactors, hasAny } from '../../second-factors/queries.ts';
import { bothFactors } from '../login-methods.ts';
import { mergePage } from '../pages/merge.ts';
import { tooMany } from '../site.ts';
import { expired, formOf, type SignInVisit, send } from '../visits.ts';
import { backUrl } from './back.ts';
import { mergeAccounts } from './merge.ts';
import { maybeProved, rememberProved } from './proved.ts';
import { noteRefusal } from './refusals.ts';
import { type LinkTicket, useTicket } from './tickets.ts';

const posted = z.object({ code: z.string().max(100).default('') }).catch({ code: '' });

interface Other {
  id: string;
  email: string;
}

/** After the first factor of the other account, requests its second factor and a confirmation of the merge. */
export async function askToMerge(
  visit: SignInVisit,
  link: LinkTicket,
  other: Other,
  amr: readonly string[],
): Promise<FastifyReply> {
  const { services } = visit.site;
  const whole = amr.includes(bothFactors);
  await services.database.global((tx) => rememberProved(tx, visit.interaction.uid, { id: other.id, whole }));
  if (whole) return showMerge(visit, { link, other, askCode: false });
  const factors = await services.database.global((tx) => findOwnFactors(tx, other.id));
  if (hasAny(factors) && !factors.totp) return send(visit, passkeyPage(link, other, visit.interaction.uid), 409);
  return showMerge(visit, { link, other, askCode: factors.totp });
}

/** Handles the form of askToMerge. */
export async function postMerge(visit: SignInVisit): Promise<FastifyReply> {
  const { site, request, reply, interaction, link } = visit;
  const { database, config } = site.services;
  const other = await database.global((tx) => maybeProved(tx, interaction.uid));
  if (!link || !other) return expired(site, reply);
  const doer = { accountId: link.accountId, requestId: request.id, address: request.ip };
  const factors = await database.global((tx) => findOwnFactors(tx, other.id));
  if (hasAny(factors) && !other.whole) {
    const actor = { accountId: other.id, email: other.email, requestId: request.id, address: request.ip };
    const checked = await checkCode(site.services, { ...actor, sessionId: undefined }, posted.parse(request.body).code);
    if ('tooMany' in checked) return tooMany(site, reply, checked.tooMany);
    if ('wrong' in checked) {
      await noteRefusal(site.services, { accountIds: [other.id], doer, reason: 'second factor missing' });
      return showMerge(visit, { link, other, askCode: true, error: 'The code is wrong.' });
    }
  }
  if (!(await database.global((tx) => useTicket(tx, link.token)))) return expired(site, reply);
  await mergeAccounts(site.services, link.accountId, other.id, doer);
  await interaction.destroy();
  return reply.redirect(backUrl(config.PUBLIC_URL, link.path, { merged: 'yes' }), 303);
}

async function showMerge(
  visit: SignInVisit,
  { link, other, askCode, error }: { link: LinkTicket; other: Other; askCode: boolean; error?: string | undefined },
) {
  const { uid, csrf } = formOf(visit);
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
    back: backUrl('', link.path, { error: 'cancelled' }),
    keeps: link.email,
    goes: other.email,
    organizations: organizations.map((row) => row.display_name),
    askCode,
    error,
  });
  return send(visit, page, error === undefined ? 200 : 400);
}

const passkeyPage = (link: LinkTicket, other: Other, uid: string): string =>
  notice(
    'Sign in with the passkey',
    [
      `${other.email} is protected by a passkey. To link it to ${link.email}, sign in to it with that passkey.`,
      'A security key without user verification is not sufficient. Add an authenticator app to that account first.',
    ],
    { href: `/oidc/interaction/${uid}?screen=sign-in`, label: 'Sign in with the passkey' },
  );
