import { passwordMax, passwordMin } from '@sightline/contract/identity/passwords.ts';
import { renderPage } from '#core/pages/frame.ts';
import { html } from '#core/pages/html.ts';
import type { IdentityProvider } from '#providers/upstream/upstream.ts';
import { formAlert, formField, postForm } from './form.ts';
import { leadTo } from './sign-in.ts';
import { upstreamButtons } from './upstreams.ts';

export interface SignUpPage {
  uid: string;
  csrf: string;
  organization?: string | undefined;
  /** The registration rule; undefined if everyone may sign up. */
  rule: string | undefined;
  /** Sign-up is closed for everyone. */
  isClosed: boolean;
  upstreams: Iterable<IdentityProvider>;
  name?: string | undefined;
  email?: string | undefined;
  errors?: { name?: string | undefined; email?: string | undefined; password?: string | undefined };
  error?: string | undefined;
}

export const signUpPage = ({
  uid,
  csrf,
  organization,
  rule,
  isClosed,
  upstreams,
  name,
  email,
  errors = {},
  error,
}: SignUpPage): string =>
  renderPage({
    title: 'Create an account',
    body: html`<h1>Create an account</h1>
${leadTo(organization)}
${rule !== undefined && html`<p class="lead">${rule}</p>`}
${!isClosed && upstreamButtons(uid, upstreams, 'or with email')}
${formAlert(error)}
${
  !isClosed &&
  postForm(
    `/oidc/interaction/${uid}/sign-up`,
    csrf,
    html`${formField({ name: 'name', label: 'Full name', type: 'text', autocomplete: 'name', value: name, error: errors.name, autofocus: true })}
${formField({ name: 'email', label: 'Email', type: 'email', autocomplete: 'username', value: email, error: errors.email })}
${formField({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  hint: `${passwordMin} to ${passwordMax} characters. Several unrelated words are easy to remember.`,
  error: errors.password,
})}`,
    'Create account',
  )
}`,
    below: html`<p class="other">Already have an account? <a href="/oidc/interaction/${uid}?screen=sign-in">Sign in</a></p>`,
  });
