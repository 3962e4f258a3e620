import { renderPage } from '#core/pages/frame.ts';
import { html } from '#core/pages/html.ts';
import type { IdentityProvider } from '#providers/upstream/upstream.ts';
import { formField, postForm } from './form.ts';
import { upstreamButtons } from './upstreams.ts';

/** The address already has an account: the person signs in to it before the external login is connected. */
export const provePage = (page: {
  uid: string;
  csrf: string;
  email: string;
  /** The label of the identity provider. */
  label: string;
  others: readonly IdentityProvider[];
}): string =>
  renderPage({
    title: 'You already have an account',
    body: html`<h1>You already have an account</h1>
<p class="lead"><b>${page.email}</b> belongs to a Sightline account that ${page.label} is not connected to yet. Sign in to it once in the way you know; ${page.label} is connected then.</p>
${upstreamButtons(page.uid, page.others, 'or with your password')}
${postForm(
  `/oidc/interaction/${page.uid}/sign-in`,
  page.csrf,
  html`<input type="hidden" name="email" value="${page.email}">
${formField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', aside: html`<a href="/oidc/forgot">Forgot password?</a>`, autofocus: true })}`,
  `Sign in and connect ${page.label}`,
)}`,
    below: html`<p class="other"><a href="/oidc/interaction/${page.uid}?screen=sign-in">Sign in with another account</a></p>`,
  });

/** The identity provider confirmed no address: the person enters one and confirms it by email. */
export const addressPage = (page: {
  uid: string;
  csrf: string;
  label: string;
  email?: string | undefined;
  error?: string | undefined;
}): string =>
  renderPage({
    title: 'Confirm your email',
    body: html`<h1>Confirm your email</h1>
<p class="lead">${page.label} did not confirm your email address. Sightline sends a link to the address you enter and then signs you in.</p>
${postForm(
  `/oidc/interaction/${page.uid}/address`,
  page.csrf,
  formField({
    name: 'email',
    label: 'Email',
    type: 'email',
    autocomplete: 'email',
    value: page.email,
    error: page.error,
    autofocus: true,
  }),
  'Send link',
)}`,
    below: html`<p class="other"><a href="/oidc/interaction/${page.uid}?screen=sign-in">Use another sign-in method</a></p>`,
  });
