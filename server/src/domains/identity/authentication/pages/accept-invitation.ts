import { renderPage } from '#core/pages/frame.ts';
import { html } from '#core/pages/html.ts';
import { postForm } from './form.ts';

/** Asks a signed-in person to accept an invitation that was sent to their address. */
export const acceptPage = (page: {
  uid: string;
  csrf: string;
  organization: string;
  role: string;
  email: string;
}): string =>
  renderPage({
    title: 'Accept invitation',
    body: html`<h1>Join ${page.organization}</h1>
<p class="lead">You were invited as <b>${page.role}</b> and are signed in as <b>${page.email}</b>.</p>
${postForm(`/oidc/interaction/${page.uid}/accept`, page.csrf, html``, 'Accept invitation')}`,
    below: html`<p class="other">Not you? <a href="/oidc/interaction/${page.uid}?screen=sign-in">Sign in with another account</a></p>`,
  });
