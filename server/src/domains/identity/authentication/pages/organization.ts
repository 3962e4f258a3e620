import { renderPage } from '#core/pages/frame.ts';
import { html } from '#core/pages/html.ts';
import type { IdentityProvider } from '#providers/upstream/upstream.ts';
import { formAlert, formField, postForm } from './form.ts';
import { upstreamButtons } from './upstreams.ts';

export interface OrganizationPage {
  uid: string;
  csrf: string;
  email?: string | undefined;
  error?: string | undefined;
  /** The identity providers that were found for the address. */
  upstreams: Iterable<IdentityProvider>;
}

/** Asks for an address, and offers the identity providers of the organizations that verified its domain. */
export const organizationPage = ({ uid, csrf, email, error, upstreams }: OrganizationPage): string =>
  renderPage({
    title: 'Sign in with your organization',
    body: html`<h1>Sign in with your organization</h1>
${upstreamButtons(uid, upstreams, 'or with another address')}
${formAlert(error)}
${postForm(
  `/oidc/interaction/${uid}/organization`,
  csrf,
  formField({
    name: 'email',
    label: 'Work email',
    type: 'email',
    autocomplete: 'email',
    value: email,
    autofocus: true,
  }),
  'Find the identity provider',
)}`,
    below: html`<p class="other"><a href="/oidc/interaction/${uid}?screen=sign-in">Other sign-in methods</a></p>`,
  });
