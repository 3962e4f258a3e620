import { frame } from '#core/pages/frame.ts';
import { type Html, html } from '#core/pages/html.ts';
import { alert, field, form } from './form.ts';

export interface SignInPage {
  uid: string;
  csrf: string;
  /** Whom or what the person continues to, if an invitation says so. */
  organization?: string | undefined;
  email?: string | undefined;
  error?: string | undefined;
  /** Offers to go on without the invitation, which does not work. */
  dropInvitation?: boolean;
}

export const signInPage = ({ uid, csrf, organization, email, error, dropInvitation }: SignInPage): string =>
  frame({
    title: 'Sign in',
    body: html`<h1>Sign in</h1>
${leadTo(organization)}
${alert(error)}
${form(
  `/oidc/interaction/${uid}/sign-in`,
  csrf,
  html`${field({ name: 'email', label: 'Email', type: 'email', autocomplete: 'username', value: email, autofocus: !email })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', aside: html`<a href="/oidc/forgot">Forgot it?</a>`, autofocus: Boolean(email) })}`,
  'Sign in',
)}`,
    below: html`<p class="other">New to Sightline? <a href="/oidc/interaction/${uid}?screen=sign-up">Create an account</a></p>
${dropInvitation === true && html`<p class="other"><a href="/login">Sign in without the invitation</a></p>`}`,
  });

export const leadTo = (organization: string | undefined): Html =>
  organization === undefined ? html`` : html`<p class="lead">to join <b>${organization}</b></p>`;
