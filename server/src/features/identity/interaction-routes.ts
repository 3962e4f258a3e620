import { passwordProblem } from '@sightline/contract/passwords.ts';
import { roleNames } from '@sightline/contract/permissions.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Refusal } from '#core/errors.ts';
import { sendPage } from '#core/pages/security.ts';
import { acceptInvitation } from '../invitations/commands.ts';
import { type Invitation, maybeInvitation } from '../invitations/queries.ts';
import { signIn, signUp } from './commands.ts';
import { normalEmail } from './email.ts';
import { acceptPage } from './pages/accept.ts';
import { type SignInPage, signInPage } from './pages/sign-in.ts';
import { type SignUpPage, signUpPage } from './pages/sign-up.ts';
import { finishInteraction, type Interaction, maybeInteraction } from './sessions.ts';
import { rememberSignUp, type Site, tooMany } from './site.ts';

const short = z.string().max(1000).catch('');
const signInForm = z.object({ email: short, password: short }).catch({ email: '', password: '' });
const signUpForm = z
  .object({ name: short, email: short, password: short })
  .catch({ name: '', email: '', password: '' });
const params = z.object({
  invitation: z.string().optional(),
  organization: z.string().optional(),
  screen_hint: z.string().optional(),
  login_hint: z.string().max(320).optional(),
  redirect_uri: z.string().optional(),
});

/** What each page of one sign-in knows. */
interface Visit {
  site: Site;
  request: FastifyRequest;
  reply: FastifyReply;
  interaction: Interaction;
  asked: z.output<typeof params>;
  invitation: Invitation | undefined;
  /** Who is signed in already. */
  account: { id: string; email: string } | undefined;
}

export function interactionRoutes(app: FastifyInstance, site: Site): void {
  const path = '/oidc/interaction/:uid';
  const visit =
    (work: (visit: Visit) => Promise<FastifyReply>) => async (request: FastifyRequest, reply: FastifyReply) => {
      const { services, provider } = site;
      const interaction = await maybeInteraction(provider, request, reply, services.config.PUBLIC_URL);
      if (interaction?.uid !== (request.params as { uid: string }).uid) return expired(site, reply);
      if (request.method === 'POST' && !site.csrf.check(request)) return expired(site, reply);
      const asked = params.parse(interaction.params);
      const invitation = asked.invitation === undefined ? undefined : await maybeInvitation(services, asked.invitation);
      const account = await signedIn(site, interaction);
      return work({ site, request, reply, interaction, asked, invitation, account });
    };
  app.get(path, visit(show));
  app.post(`${path}/sign-in`, visit(postSignIn));
  app.post(`${path}/sign-up`, visit(postSignUp));
  app.post(`${path}/accept`, visit(postAccept));
}

async function show(visit: Visit): Promise<FastifyReply> {
  const { request, asked, invitation, account } = visit;
  const { screen } = z.object({ screen: z.string().optional() }).catch({}).parse(request.query);
  if (screen === 'sign-up' || (screen === undefined && asked.screen_hint === 'signup')) return showSignUp(visit, {});
  if (screen === undefined && account && invitation?.state === 'open' && invitation.email === account.email) {
    return showAccept(visit, invitation, account.email);
  }
  return showSignIn(visit, {});
}

async function postSignIn(visit: Visit): Promise<FastifyReply> {
  const { site, request, reply } = visit;
  const { email, password } = signInForm.parse(request.body);
  const normal = normalEmail(email) ?? '';
  if (normal === '' || password === '') {
    return showSignIn(visit, { email, error: 'Enter your email address and your password.' }, 400);
  }
  const result = await signIn(site.services, normal, password, request.ip);
  if ('tooMany' in result) return tooMany(site, reply, result.tooMany);
  if ('wrong' in result) return showSignIn(visit, { email, error: 'That email and password do not match.' }, 400);
  if ('unconfirmed' in result) return toConfirmScreen(visit, result.unconfirmed);
  return acceptAndFinish(visit, result.account);
}

async function postSignUp(visit: Visit): Promise<FastifyReply> {
  const { site, request, reply, asked } = visit;
  const given = signUpForm.parse(request.body);
  const email = normalEmail(given.email);
  const name = given.name.trim();
  const errors = {
    name: nameProblem(name),
    email: email === undefined ? 'Enter an email address, such as ada@example.org.' : undefined,
    password: passwordProblem(given.password, email),
  };
  if (email === undefined || errors.name !== undefined || errors.password !== undefined) {
    return showSignUp(visit, { name, email: given.email, errors }, 400);
  }
  const { password } = given;
  const result = await signUp(site.services, { name, email, password, invitation: asked.invitation }, request.ip);
  if ('tooMany' in result) return tooMany(site, reply, result.tooMany);
  rememberSignUp(site, reply, result.proof);
  return toConfirmScreen(visit, result.userId);
}

async function postAccept(visit: Visit): Promise<FastifyReply> {
  if (!visit.account) return expired(visit.site, visit.reply);
  return acceptAndFinish(visit, visit.account);
}

async function acceptAndFinish(visit: Visit, account: { id: string; email: string }): Promise<FastifyReply> {
  const { site, request, reply, interaction, asked, invitation } = visit;
  if (asked.invitation !== undefined) {
    if (invitation && asked.organization !== undefined && asked.organization !== invitation.orgId) {
      return showSignIn(visit, { error: 'This invitation is for another organization than the link says.' }, 400);
    }
    const actor = { accountId: account.id, email: account.email, requestId: request.id, address: request.ip };
    try {
      await acceptInvitation(site.services, actor, asked.invitation);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return showSignIn(visit, { email: account.email, error: error.message, dropInvitation: true }, 400);
    }
  }
  return reply.redirect(await finishInteraction(site.provider, request, reply, interaction, account.id), 303);
}

const toConfirmScreen = ({ site, reply }: Visit, userId: string) =>
  reply.redirect(`${site.services.config.PUBLIC_URL}/auth/verify?user_id=${encodeURIComponent(userId)}`, 303);

function showSignIn(
  visit: Visit,
  more: Pick<SignInPage, 'email' | 'error' | 'dropInvitation'>,
  status = 200,
): FastifyReply {
  const { asked, invitation, account } = visit;
  const elsewhere =
    account && invitation?.state === 'open' && invitation.email !== account.email
      ? 'This invitation was sent to another address than the one you are signed in with. Sign in with that one.'
      : undefined;
  const over = asked.invitation !== undefined && invitation?.state !== 'open' ? overText : undefined;
  const error = over ?? elsewhere;
  const page = { ...formOf(visit), email: asked.login_hint, error, dropInvitation: error !== undefined, ...more };
  return send(visit, signInPage(page), status);
}

const overText =
  'This invitation has expired or was used already. If you are a member, just sign in; otherwise ask for a new one.';

const showSignUp = (visit: Visit, more: Partial<SignUpPage>, status = 200): FastifyReply =>
  send(visit, signUpPage({ ...formOf(visit), email: visit.asked.login_hint, ...more }), status);

const showAccept = (visit: Visit, { organization, roleId }: Invitation, email: string): FastifyReply =>
  send(visit, acceptPage({ ...formOf(visit), organization, role: roleNames[roleId], email }), 200);

const formOf = ({ site, request, reply, interaction, invitation }: Visit) => ({
  uid: interaction.uid,
  csrf: site.csrf.issue(request, reply),
  organization: invitation?.state === 'open' ? invitation.organization : undefined,
});

const send = ({ site, reply, asked }: Visit, page: string, status: number) =>
  sendPage(site.services.config, reply.status(status), page, { formTarget: asked.redirect_uri });

const expired = (site: Site, reply: FastifyReply) =>
  sendPage(site.services.config, reply.status(400), site.expiredPage);

const nameProblem = (name: string): string | undefined => {
  if (name === '') return 'Enter your name.';
  return name.length > 200 || !name.isWellFormed() || name.includes('\0')
    ? 'The name may have at most 200 characters.'
    : undefined;
};

async function signedIn(
  { services }: Site,
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
