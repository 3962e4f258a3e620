import { passwordMax, passwordMin } from '@sightline/contract/identity/passwords.ts';
import { renderPage } from '#core/pages/frame.ts';
import { html } from '#core/pages/html.ts';
import { formAlert, formField, postForm } from './form.ts';

export const forgotPage = ({ csrf, error }: { csrf: string; error?: string | undefined }): string =>
  renderPage({
    title: 'Reset your password',
    body: html`<h1>Reset your password</h1>
<p class="lead">Sightline sends you a link to choose a new password.</p>
${formAlert(error)}
${postForm('/oidc/forgot', csrf, formField({ name: 'email', label: 'Email', type: 'email', autocomplete: 'username', autofocus: true }), 'Send link')}`,
    below: html`<p class="other"><a href="/login">Back to sign in</a></p>`,
  });

export const resetPage = (page: { csrf: string; token: string; email: string; error?: string | undefined }): string =>
  renderPage({
    title: 'Choose a new password',
    body: html`<h1>Choose a new password</h1>
<p class="lead">for <b>${page.email}</b></p>
${postForm(
  '/oidc/reset',
  page.csrf,
  html`<input type="hidden" name="token" value="${page.token}">
${formField({
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: `${passwordMin} to ${passwordMax} characters.`,
  error: page.error,
  autofocus: true,
})}`,
  'Save and sign in',
)}`,
  });
