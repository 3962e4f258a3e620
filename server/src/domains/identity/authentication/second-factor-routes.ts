import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Refusal } from '#core/errors.ts';
import { sendPage } from '#core/pages/security.ts';
import {
  addPasskeyOf,
  addTotpOf,
  beginPasskeyCheck,
  beginPasskeyOf,
  beginTotpOf,
  checkCode,
  checkPasskey,
  repeatSetup,
} from '../second-factors/commands.ts';
import { findOwnFactors, type OwnFactors } from '../second-factors/queries.ts';
import { recordAuthentication } from '../sessions/commands.ts';
import { deviceNameOf, findSessionId, requiredFactorStep } from '../sessions/queries.ts';
import { rememberDevice } from './new-device.ts';
import { enrolPage, recoveryCodesPage, secondFactorPage } from './pages/second-factor.ts';
import { parsePostedPasskey } from './posted-passkey.ts';
import { type Interaction, maybeInteraction } from './sessions.ts';
import { type SignInContext, sendTooManyAttempts } from './sign-in-context.ts';

const shortText = z.string().max(2000).catch('');
const answer = z.object({ code: shortText, setup: shortText }).catch({ code: '', setup: '' });

/** The context of each second factor page. */
interface SecondFactorVisit {
  site: SignInContext;
  request: FastifyRequest;
  reply: FastifyReply;
  interaction: Interaction;
  actor: { accountId: string; email: string; requestId: string; address: string; sessionId: string };
  own: OwnFactors;
  need: 'none' | 'check' | 'enrol';
  organization: string;
}

export function secondFactorRoutes(app: FastifyInstance, site: SignInContext): void {
  const path = '/oidc/interaction/:uid/second-factor';
  const visit =
    (work: (visit: SecondFactorVisit) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const interaction = await maybeInteraction(site.provider, request, reply, site.services.config.PUBLIC_URL);
      const posted = request.method === 'POST';
      const known =
        interaction?.uid === (request.params as { uid: string }).uid && (!posted || site.csrf.check(request))
          ? await visitOf(site, request, reply, interaction)
          : undefined;
      if (!known) return sendPage(site.services.config, reply.status(400), site.expiredPage);
      // The factor was already passed, for example in another tab, so the sign-in continues.
      return known.need === 'none' ? continueSignIn(known) : work(known);
    };
  app.get(path, visit(show));
  app.post(path, visit(postCode));
  app.post(`${path}/passkey`, visit(postPasskey));
  app.post(`${path}/enrol`, visit(postEnrol));
  // After the codes were saved, no factor is required, so that this request continues the sign-in.
  app.post(`${path}/done`, visit(show));
}

async function show(visit: SecondFactorVisit): Promise<FastifyReply> {
  return visit.need === 'check'
    ? showCheck(visit)
    : showEnrol(visit, await beginTotpOf(visit.site.services, visit.actor));
}

async function postCode(visit: SecondFactorVisit): Promise<FastifyReply> {
  const { site, request, reply, actor } = visit;
  if (visit.need !== 'check') return show(visit);
  const { code } = answer.parse(request.body);
  const checked = await checkCode(site.services, actor, code);
  if ('tooMany' in checked) return sendTooManyAttempts(site, reply, checked.tooMany);
  if ('passed' in checked) return completeCheck(visit);
  const recovery = !/^[\d\s]*$/.test(code);
  return showCheck(
    visit,
    recovery ? 'The recovery code is wrong or was already used.' : 'The code is wrong or was already used.',
    recovery,
  );
}

async function postPasskey(visit: SecondFactorVisit): Promise<FastifyReply> {
  const { site, request, reply, actor } = visit;
  const passkey = parsePostedPasskey(request.body);
  if (visit.need === 'enrol') {
    return completeEnrolment(visit, () => addPasskeyOf(site.services, actor, { name: passkeyName(request), passkey }));
  }
  const checked = await checkPasskey(site.services, actor, passkey);
  if ('tooMany' in checked) return sendTooManyAttempts(site, reply, checked.tooMany);
  return 'passed' in checked ? completeCheck(visit) : showCheck(visit, 'The passkey was not accepted. Try again.');
}

async function postEnrol(visit: SecondFactorVisit): Promise<FastifyReply> {
  if (visit.need !== 'enrol') return show(visit);
  const { setup, code } = answer.parse(visit.request.body);
  return completeEnrolment(visit, () => addTotpOf(visit.site.services, visit.actor, { setup, code }), setup);
}

/** Stores a new factor, shows the recovery codes, and marks the session as authenticated by a second factor. */
async function completeEnrolment(
  visit: SecondFactorVisit,
  add: () => Promise<{ recoveryCodes: string[] | null }>,
  setup = '',
): Promise<FastifyReply> {
  const { site, request, reply, interaction, actor } = visit;
  try {
    const { recoveryCodes } = await add();
    await markAuthenticated(visit);
    if (recoveryCodes === null) return continueSignIn(visit);
    const csrf = site.csrf.issue(request, reply);
    return sendPage(
      site.services.config,
      reply,
      recoveryCodesPage({ uid: interaction.uid, csrf, codes: recoveryCodes }),
      rightsOf(visit),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'rate_limited') return sendTooManyAttempts(site, reply, error.retryAfter ?? 60);
    const repeated = await repeatSetup(site.services, actor, setup);
    const again = repeated ? { ...repeated, setup } : await beginTotpOf(site.services, actor);
    const [detail] = error.extra.details ?? [];
    const message = detail?.field === 'code' ? 'The code is wrong or expired.' : error.message;
    return showEnrol(visit, again, message);
  }
}

async function showCheck(visit: SecondFactorVisit, error?: string, recovery?: boolean): Promise<FastifyReply> {
  const { site, request, reply, interaction, actor, own } = visit;
  const { way } = z.object({ way: z.string().optional() }).catch({}).parse(request.query);
  const page = secondFactorPage({
    uid: interaction.uid,
    csrf: site.csrf.issue(request, reply),
    email: actor.email,
    totp: own.totp,
    recovery: recovery ?? way === 'recovery',
    passkey: own.passkeys ? await beginPasskeyCheck(site.services, actor.accountId) : undefined,
    error,
  });
  return sendPage(site.services.config, reply.status(error === undefined ? 200 : 400), page, rightsOf(visit));
}

async function showEnrol(
  visit: SecondFactorVisit,
  setup: { secret: string; qr: string; setup: string },
  error?: string,
): Promise<FastifyReply> {
  const { site, request, reply, interaction, actor, organization } = visit;
  const page = enrolPage({
    uid: interaction.uid,
    csrf: site.csrf.issue(request, reply),
    organization,
    ...setup,
    passkey: await beginPasskeyOf(site.services, actor),
    error,
  });
  return sendPage(site.services.config, reply.status(error === undefined ? 200 : 400), page, rightsOf(visit));
}

async function completeCheck(visit: SecondFactorVisit): Promise<FastifyReply> {
  const { site, request, reply, actor } = visit;
  await markAuthenticated(visit);
  await rememberDevice(site, request, reply, actor.accountId);
  return continueSignIn(visit);
}

const markAuthenticated = ({ site, actor }: SecondFactorVisit) =>
  site.services.database.global((tx) => recordAuthentication(tx, actor, { secondFactor: true }));

// Passes the result of the first factor on: otherwise the same page would be shown again.
async function continueSignIn({ site, request, reply }: SecondFactorVisit): Promise<FastifyReply> {
  const next = await site.provider.interactionResult(request.raw, reply.raw, {}, { mergeWithLastSubmission: true });
  return reply.redirect(next, 303);
}

async function visitOf(
  site: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  interaction: Interaction,
): Promise<SecondFactorVisit | undefined> {
  const { database } = site.services;
  const { session } = interaction;
  if (!session) return undefined;
  const { organization: orgId } = z.object({ organization: z.string().optional() }).parse(interaction.params);
  const found = await database.global(async (tx) => ({
    account: await tx.db.selectFrom('account').select('email').where('id', '=', session.accountId).executeTakeFirst(),
    sessionId: await findSessionId(tx, session.uid),
    own: await findOwnFactors(tx, session.accountId),
  }));
  if (!found.account || found.sessionId === undefined) return undefined;
  const need = await requiredFactorStep(database, { accountId: session.accountId, sessionUid: session.uid, orgId });
  const { email } = found.account;
  const actor = {
    accountId: session.accountId,
    email,
    requestId: request.id,
    address: request.ip,
    sessionId: found.sessionId,
  };
  const organization = orgId === undefined ? '' : await nameOf(site, orgId);
  return { site, request, reply, interaction, actor, own: found.own, need, organization };
}

const nameOf = ({ services }: SignInContext, orgId: string): Promise<string> =>
  services.database.withOrg(orgId, async ({ db }) => {
    const row = await db.selectFrom('organization').select('display_name').where('id', '=', orgId).executeTakeFirst();
    return row?.display_name ?? '';
  });

const rightsOf = ({ interaction }: SecondFactorVisit) => ({
  script: true,
  formTarget: z.object({ redirect_uri: z.string().optional() }).parse(interaction.params).redirect_uri,
});

const passkeyName = ({ headers }: FastifyRequest) => deviceNameOf(headers['user-agent'] ?? '') || 'Passkey';
