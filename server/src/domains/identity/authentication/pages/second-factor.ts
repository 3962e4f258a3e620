import { assetUrl } from '#core/pages/assets.ts';
import { renderPage } from '#core/pages/frame.ts';
import { type Html, html } from '#core/pages/html.ts';
import { formAlert, formField, postForm } from './form.ts';

interface Base {
  uid: string;
  csrf: string;
  error?: string | undefined;
  /** WebAuthn options for a passkey request of the browser, if one is possible. */
  passkey?: Record<string, unknown> | undefined;
}

export interface CheckPage extends Base {
  email: string;
  /** An authenticator app is set up. */
  totp: boolean;
  /** Requests a recovery code instead. */
  recovery: boolean;
}

const pathOf = (uid: string) => `/oidc/interaction/${uid}/second-factor`;

/** Requests the second factor: a code, which needs no script, or a passkey, which does. */
export const secondFactorPage = ({ uid, csrf, error, passkey, email, totp, recovery }: CheckPage): string =>
  renderPage({
    title: 'Confirm it is you',
    script: assetUrl('passkey.js'),
    body: html`<h1>Confirm it is you</h1>
<p class="lead">Signing in as <b>${email}</b>.</p>
${formAlert(error)}
${!recovery && passkey && passkeyForm(`${pathOf(uid)}/passkey`, { csrf, use: 'use', options: passkey, label: 'Use a passkey' })}
${!recovery && passkey && totp && html`<p class="or" hidden><span>or</span></p>`}
${recovery && postForm(pathOf(uid), csrf, recoveryField(), 'Continue')}
${!recovery && totp && postForm(pathOf(uid), csrf, codeField('The six-digit code of your authenticator app.'), 'Continue')}`,
    below: html`${
      recovery
        ? html`<p class="other"><a href="${pathOf(uid)}">Back to the ${totp ? 'authenticator app' : 'passkey'}</a></p>`
        : html`<p class="other">No access to your device? <a href="${pathOf(uid)}?way=recovery">Use a recovery code</a></p>`
    }
<p class="other">Not you? <a href="/logout">Sign in with another account</a></p>`,
  });

export interface EnrolPage extends Base {
  organization: string;
  /** Base32, also encoded in the QR code. */
  secret: string;
  qr: string;
  setup: string;
}

/** Sets up a second factor during the sign-in to an organization that requires one. */
export const enrolPage = ({ uid, csrf, error, passkey, organization, secret, qr, setup }: EnrolPage): string =>
  renderPage({
    title: 'Set up a second factor',
    script: assetUrl('passkey.js'),
    body: html`<h1>Set up a second factor</h1>
<p class="lead"><b>${organization}</b> requires one of every member. Scan this with an authenticator app, then enter the code it shows.</p>
${formAlert(error)}
<div class="qr" role="img" aria-label="QR code for the authenticator app">${{ markup: qr }}</div>
<p class="hint">Cannot scan it? Enter this key manually: <span class="key">${(secret.match(/.{1,4}/g) ?? []).join(' ')}</span></p>
${postForm(
  `${pathOf(uid)}/enrol`,
  csrf,
  html`<input type="hidden" name="setup" value="${setup}">
${codeField('The six-digit code of the app.')}`,
  'Continue',
)}
${passkey && html`<p class="or" hidden><span>or</span></p>`}
${passkey && passkeyForm(`${pathOf(uid)}/passkey`, { csrf, use: 'make', options: passkey, label: 'Set up a passkey instead' })}`,
    below: html`<p class="other"><a href="/logout">Sign out</a></p>`,
  });

/** Shows the recovery codes, once. */
export const recoveryCodesPage = ({ uid, csrf, codes }: { uid: string; csrf: string; codes: readonly string[] }) =>
  renderPage({
    title: 'Save your recovery codes',
    body: html`<h1>Save your recovery codes</h1>
<p class="lead">Your second factor is set up. Each code signs you in once if your second factor is not available. They are shown only now. Print them or save them in a password manager.</p>
<ul class="codes">
${codes.map((code) => html`<li>${code}</li>`)}
</ul>
${postForm(`${pathOf(uid)}/done`, csrf, html``, 'I saved them, continue')}`,
  });

const codeField = (hint: string): Html =>
  formField({
    name: 'code',
    label: 'Code',
    type: 'text',
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
    hint,
    autofocus: true,
  });

const recoveryField = (): Html =>
  formField({
    name: 'code',
    label: 'Recovery code',
    type: 'text',
    autocomplete: 'off',
    hint: 'Such as abcd-efgh-jkmn-pqrs. Each is valid once.',
    autofocus: true,
  });

/** Hidden until the script detects passkey support; it also shows the separator. */
export const passkeyForm = (
  action: string,
  { csrf, use, options, label }: { csrf: string; use: 'make' | 'use'; options: Record<string, unknown>; label: string },
): Html => html`<form method="post" action="${action}" data-passkey="${use}" data-options="${JSON.stringify(options)}" hidden>
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="passkey" value="">
<p class="error" role="alert" hidden></p>
<button class="button">${label}</button>
</form>`;
