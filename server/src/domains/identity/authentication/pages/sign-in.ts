import { assetUrl } from '#core/pages/assets.ts';
import { renderPage } from '#core/pages/frame.ts';
import { type Html, html } from '#core/pages/html.ts';
import type { IdentityProvider } from '#providers/upstream/upstream.ts';
import { formAlert, formField, postForm } from './form.ts';
import { passkeyForm } from './second-factor.ts';
import { upstreamButtons } from './upstreams.ts';

export interface SignInPage {
  uid: string;
  csrf: string;
  /** The destination of the sign-in if an invitation names one. */
  organization?: string | undefined;
  upstreams: Iterable<IdentityProvider>;
  /** The account that the requested account will be merged into, and the target of the cancel link. */
  linkTo?: { email: string; back: string } | undefined;
  /** WebAuthn options to sign in with a passkey alone. */
  passkey?: Record<string, unknown> | undefined;
  email?: string | undefined;
  error?: string | undefined;
  /** Offers to continue without the invalid invitation. */
  dropInvitation?: boolean;
}

export const signInPage = ({
  uid,
  csrf,
  organization,
  upstreams,
  linkTo,
  passkey,
  email,
  error,
  dropInvitation,
}: SignInPage): string =>
  renderPage({
    title: linkTo === undefined ? 'Sign in' : 'Sign in to the other account',
    ...(passkey && { script: assetUrl('passkey.js') }),
    body: html`<h1>${linkTo === undefined ? 'Sign in' : 'Sign in to the other account'}</h1>
${linkTo === undefined ? leadTo(organization) : html`<p class="lead">to link it to <b>${linkTo.email}</b></p>`}
${upstreamButtons(uid, upstreams, 'or with email')}
${formAlert(error)}
${postForm(
  `/oidc/interaction/${uid}/sign-in`,
  csrf,
  html`${formField({ name: 'email', label: 'Email', type: 'email', autocomplete: 'username', value: email, autofocus: !email })}
${formField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', aside: html`<a href="/oidc/forgot">Forgot password?</a>`, autofocus: Boolean(email) })}`,
  'Sign in',
)}
${passkey && html`<p class="or" hidden><span>or</span></p>`}
${passkey && passkeyForm(`/oidc/interaction/${uid}/passkey`, { csrf, use: 'use', options: passkey, label: 'Sign in with a passkey' })}`,
    below: html`${
      linkTo === undefined
        ? html`<p class="other"><a href="/oidc/interaction/${uid}?screen=organization">Sign in with your organization</a></p>
<p class="other">New to Sightline? <a href="/oidc/interaction/${uid}?screen=sign-up">Create an account</a></p>`
        : html`<p class="other"><a href="${linkTo.back}">Cancel</a></p>`
    }
${dropInvitation === true && html`<p class="other"><a href="/login">Sign in without the invitation</a></p>`}`,
  });

export const leadTo = (organization: string | undefined): Html =>
  organization === undefined ? html`` : html`<p class="lead">to join <b>${organization}</b></p>`;
