import { roleNames } from '@sightline/contract/core/permissions.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { ATTEMPT_LIMITS, countAttempts, networkOf } from '#core/attempts.ts';
import { domainOf, normalizeEmail } from '#core/email-address.ts';
import { registrationRule } from '#core/registration.ts';
import type { IdentityProvider } from '#providers/upstream/upstream.ts';
import type { Invitation } from '../invitation-tickets/queries.ts';
import { findSamlProvidersOf, findUpstream } from '../saml/queries.ts';
import { passkeySignIn } from '../second-factors/commands.ts';
import { findSingleSignOn } from '../sign-in-policy/queries.ts';
import { signIn, signUp } from './commands.ts';
import { newPasswordProblem } from './common-passwords.ts';
import { completeSignIn, showSignIn } from './complete-sign-in.ts';
import { requestOriginOf } from './login-audit.ts';
import { passkeyLogin, passwordLogin } from './login-methods.ts';
import { acceptPage } from './pages/accept-invitation.ts';
import { type OrganizationPage, organizationPage } from './pages/organization.ts';
import { type SignUpPage, signUpPage } from './pages/sign-up.ts';
import { singleSignOnReason } from './policy.ts';
import { parsePostedPasskey } from './posted-passkey.ts';
import {
  initialEmailOf,
  type SignInAttempt,
  sendExpiredPage,
  sendSignInPage,
  signInFormFields,
  signInRoute,
} from './sign-in-attempts.ts';
import { rememberSignUp, type SignInContext, sendTooManyAttempts } from './sign-in-context.ts';
import { showPending } from './upstream/address-routes.ts';
import { redirectToUpstream } from './upstream/begin.ts';

const shortText = z.string().max(1000).catch('');
const signInForm = z.object({ email: shortText, password: shortText }).catch({ email: '', password: '' });
const signUpForm = z
  .object({ name: shortText, email: shortText, password: shortText })
  .catch({ name: '', email: '', password: '' });

export function interactionRoutes(app: FastifyInstance, site: SignInContext): void {
  const path = '/oidc/interaction/:uid';
  const visit = (work: (visit: SignInAttempt) => Promise<FastifyReply>) => signInRoute(site, work);
  app.get(path, visit(show));
  app.get(`${path}/upstream/:connection`, visit(getUpstream));
  app.post(`${path}/sign-in`, visit(postSignIn));
  app.post(`${path}/passkey`, visit(postPasskey));
  app.post(`${path}/organization`, visit(postOrganization));
  app.post(`${path}/sign-up`, visit(postSignUp));
  app.post(`${path}/accept`, visit(postAccept));
}

const screenQuery = z
  .object({
    screen: z.string().optional(),
    problem: z
      .enum(['cancelled', 'refused', 'not-accepted', 'unreachable', 'unknown-login', 'not-admitted'])
      .optional(),
    from: z.string().optional(),
  })
  .catch({});

/** Error messages for the reasons why an identity provider returned without a sign-in. */
const problems = {
  cancelled: (label: string) => `You canceled the sign-in with ${label}.`,
  refused: (label: string) => `${label} did not confirm your identity. Try again.`,
  'not-accepted': (label: string) =>
    `The response of ${label} was not accepted. An Account Owner sees the reason in the settings of the organization.`,
  unreachable: (label: string) =>
    `${label} returned an unexpected response. Try again in a moment, or use another sign-in method.`,
  'unknown-login': (label: string) => `No Sightline account has this ${label} login.`,
  'not-admitted': (label: string) => `No Sightline account has this ${label} login.`,
};

async function show(visit: SignInAttempt): Promise<FastifyReply> {
  const { request, authorizationParams, invitation, account } = visit;
  const { screen, problem, from = '' } = screenQuery.parse(request.query);
  const upstream = await findUpstream(visit.site.services, authorizationParams.connection ?? '');
  if (screen === 'prove' || screen === 'address') return showPending(visit, screen);
  if (screen === 'organization' && !visit.linkTicket) return showOrganization(visit, {});
  if (problem !== undefined) return showProblem(visit, problem, from);
  const sso = await singleSignOnOf(visit);
  // A person who returned with a different login sees a message instead of another redirect.
  if (sso && (screen !== undefined || !sso.isFirst)) return showSignIn(visit, { error: sso.message });
  const to = upstream ?? sso?.upstream;
  if (screen === undefined && to) return toUpstream(visit, to);
  if (screen === 'sign-up' || (screen === undefined && authorizationParams.screen_hint === 'signup'))
    return showSignUp(visit, {});
  if (screen === undefined && account && invitation?.state === 'open' && invitation.email === account.email) {
    // Only the invited person receives the ticket, together with the accept button that led here.
    if (invitation.by === 'ticket') return completeSignIn(visit, account, amrOf(visit));
    return showAccept(visit, invitation, account.email);
  }
  return showSignIn(visit, {});
}

/** Shows why the identity provider `from` returned without a sign-in. */
async function showProblem(visit: SignInAttempt, problem: keyof typeof problems, from: string): Promise<FastifyReply> {
  const { services } = visit.site;
  const rule = problem === 'not-admitted' ? registrationRule(services.config) : undefined;
  const label = (await findUpstream(services, from))?.label ?? '';
  return showSignIn(visit, { error: [problems[problem](label), rule ?? []].flat().join(' ') });
}

/** The external login that the organization requires, if that is why the page is shown. */
async function singleSignOnOf({ site: { services }, interaction, authorizationParams }: SignInAttempt) {
  const { prompt, lastSubmission } = interaction;
  if (!prompt.reasons.includes(singleSignOnReason) || authorizationParams.organization === undefined) return undefined;
  const found = await services.database.withOrg(authorizationParams.organization, (tx) =>
    findSingleSignOn(tx, authorizationParams.organization ?? ''),
  );
  // Then the session began with the provider of another organization.
  if (!found) return { upstream: undefined, message: otherOrganizationText, isFirst: false };
  const upstream = await findUpstream(services, found.connection);
  const label = upstream?.label ?? found.connection;
  const message = `Your organization requires ${label} and an address of ${found.domains.join(' or ')}.`;
  return { upstream, message, isFirst: lastSubmission === undefined };
}

const otherOrganizationText =
  'You signed in with the identity provider of another organization. Use another sign-in method for this one.';

function toUpstream(
  { site, request, reply, interaction: { uid }, authorizationParams }: SignInAttempt,
  upstream: IdentityProvider,
) {
  // The app sends these parameters before a change that requires a recent sign-in.
  const fresh =
    authorizationParams.prompt?.split(' ').includes('login') === true || authorizationParams.max_age !== undefined;
  const purpose = { kind: 'sign-in', uid, fresh } as const;
  return redirectToUpstream(site, {
    request,
    reply,
    upstream,
    purpose,
    back: `/oidc/interaction/${uid}?screen=sign-in`,
  });
}

async function getUpstream(visit: SignInAttempt): Promise<FastifyReply> {
  const { connection } = visit.request.params as { connection: string };
  const upstream = await findUpstream(visit.site.services, connection);
  return upstream ? toUpstream(visit, upstream) : sendExpiredPage(visit.site, visit.reply);
}

async function postSignIn(visit: SignInAttempt): Promise<FastifyReply> {
  const { site, request, reply } = visit;
  const { email, password } = signInForm.parse(request.body);
  const normal = normalizeEmail(email) ?? '';
  if (normal === '' || password === '') {
    return showSignIn(visit, { email, error: 'Enter your email address and your password.' }, 400);
  }
  const result = await signIn(site.services, {
    email: normal,
    password,
    origin: requestOriginOf(request),
    findDevice: site.devices.finderFor(request),
  });
  if ('tooMany' in result) return sendTooManyAttempts(site, reply, result.tooMany);
  if ('wrong' in result) return showSignIn(visit, { email, error: 'The email or password is wrong.' }, 400);
  if ('unconfirmed' in result) return toConfirmScreen(visit, result.unconfirmed);
  return completeSignIn(visit, result.account, [passwordLogin]);
}

/** Finds the identity providers of the organizations that verified the domain of an address. */
async function postOrganization(visit: SignInAttempt): Promise<FastifyReply> {
  const { site, request, reply } = visit;
  if (visit.linkTicket) return sendExpiredPage(site, reply);
  const given = signInForm.parse(request.body).email;
  const email = normalizeEmail(given);
  if (email === undefined)
    return showOrganization(visit, { email: given, error: 'Enter your work address, such as ada@example.org.' }, 400);
  const waitSeconds = await site.services.database.global((tx) =>
    countAttempts(tx, [[ATTEMPT_LIMITS.samlByNetwork, networkOf(request.ip)]]),
  );
  if (waitSeconds > 0) return sendTooManyAttempts(site, reply, waitSeconds);
  const upstreams = await findSamlProvidersOf(site.services, email);
  const error =
    upstreams.length === 0
      ? `No organization has an identity provider for ${domainOf(email)}. Use another sign-in method.`
      : undefined;
  return showOrganization(visit, { email: given, upstreams, error }, error === undefined ? 200 : 400);
}

const showOrganization = (visit: SignInAttempt, more: Partial<OrganizationPage>, status = 200): FastifyReply =>
  sendSignInPage(
    visit,
    organizationPage({ ...signInFormFields(visit), upstreams: [], email: initialEmailOf(visit), ...more }),
    status,
  );

async function postPasskey(visit: SignInAttempt): Promise<FastifyReply> {
  const { site, request, reply, interaction } = visit;
  const result = await passkeySignIn(site.services, interaction.uid, parsePostedPasskey(request.body), request.ip);
  if (!result) return showSignIn(visit, { error: 'The passkey was not accepted. Use another sign-in method.' }, 400);
  return 'tooMany' in result
    ? sendTooManyAttempts(site, reply, result.tooMany)
    : completeSignIn(visit, result, passkeyLogin);
}

async function postSignUp(visit: SignInAttempt): Promise<FastifyReply> {
  const { site, request, reply, authorizationParams } = visit;
  if (visit.linkTicket) return sendExpiredPage(site, reply);
  if (site.services.config.SIGN_UP === 'closed') return showSignUp(visit, {}, 403);
  const given = signUpForm.parse(request.body);
  const email = normalizeEmail(given.email);
  const name = given.name.trim();
  const errors = {
    name: nameProblem(name),
    email: email === undefined ? 'Enter an email address, such as ada@example.org.' : undefined,
    password: await newPasswordProblem(given.password, email),
  };
  if (email === undefined || errors.name !== undefined || errors.password !== undefined) {
    return showSignUp(visit, { name, email: given.email, errors }, 400);
  }
  const { password } = given;
  const result = await signUp(
    site.services,
    { name, email, password, invitation: authorizationParams.invitation },
    request.ip,
  );
  if ('tooMany' in result) return sendTooManyAttempts(site, reply, result.tooMany);
  if ('account' in result) return completeSignIn(visit, result.account, [passwordLogin]);
  rememberSignUp(site, reply, result.proof);
  return toConfirmScreen(visit, result.userId);
}

async function postAccept(visit: SignInAttempt): Promise<FastifyReply> {
  if (!visit.account || visit.linkTicket) return sendExpiredPage(visit.site, visit.reply);
  return completeSignIn(visit, visit.account, amrOf(visit));
}

const amrOf = ({ interaction }: SignInAttempt): readonly string[] => interaction.session?.amr ?? [passwordLogin];

const toConfirmScreen = ({ site, reply }: SignInAttempt, userId: string) =>
  reply.redirect(`${site.services.config.PUBLIC_URL}/auth/verify?user_id=${encodeURIComponent(userId)}`, 303);

const showSignUp = (visit: SignInAttempt, more: Partial<SignUpPage>, status = 200): FastifyReply =>
  sendSignInPage(
    visit,
    signUpPage({ ...signInFormFields(visit), ...registrationOf(visit), email: initialEmailOf(visit), ...more }),
    status,
  );

const registrationOf = ({ site: { services } }: SignInAttempt): Pick<SignUpPage, 'rule' | 'isClosed'> => ({
  rule: registrationRule(services.config),
  isClosed: services.config.SIGN_UP === 'closed',
});

const showAccept = (visit: SignInAttempt, { organization, roleId }: Invitation, email: string): FastifyReply =>
  sendSignInPage(visit, acceptPage({ ...signInFormFields(visit), organization, role: roleNames[roleId], email }), 200);

const nameProblem = (name: string): string | undefined => {
  if (name === '') return 'Enter your name.';
  return name.length > 200 || !name.isWellFormed() || name.includes('\0')
    ? 'The name may have at most 200 characters.'
    : undefined;
};
