import { renderPage } from '#core/pages/frame.ts';
import { html } from '#core/pages/html.ts';
import { formAlert, formField, postForm } from './form.ts';

export interface ConfirmEmailPage {
  token: string;
  csrf: string;
  email: string;
  /** The browser is not that of the sign-up, so the password is required. */
  askPassword: boolean;
  error?: string | undefined;
}

/** A button confirms instead of the link: mail scanners open links but press no buttons. */
export const confirmEmailPage = ({ token, csrf, email, askPassword, error }: ConfirmEmailPage): string =>
  renderPage({
    title: 'Confirm your email',
    body: html`<h1>Confirm your email</h1>
<p class="lead">This completes the account for <b>${email}</b>.${askPassword && ' You signed up in another browser, so enter the password you chose.'}</p>
${formAlert(error)}
${postForm(
  '/oidc/verify',
  csrf,
  html`<input type="hidden" name="token" value="${token}">
${askPassword && formField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', autofocus: true })}`,
  'Confirm and continue',
)}`,
    below: html`<p class="other">Did not sign up? Close this page. Nothing is changed.</p>`,
  });
