import { type Html, html } from '#core/pages/html.ts';
import type { IdentityProvider } from '#providers/upstream/upstream.ts';

// The logos are from simple-icons (CC0).
const logos: Record<IdentityProvider['kind'], string> = {
  github:
    'M12 .297c-6.63 0-12 5.373-12 12 0 5.303 3.438 9.8 8.205 11.385.6.113.82-.258.82-.577 0-.285-.01-1.04-.015-2.04-3.338.724-4.042-1.61-4.042-1.61C4.422 18.07 3.633 17.7 3.633 17.7c-1.087-.744.084-.729.084-.729 1.205.084 1.838 1.236 1.838 1.236 1.07 1.835 2.809 1.305 3.495.998.108-.776.417-1.305.76-1.605-2.665-.3-5.466-1.332-5.466-5.93 0-1.31.465-2.38 1.235-3.22-.135-.303-.54-1.523.105-3.176 0 0 1.005-.322 3.3 1.23.96-.267 1.98-.399 3-.405 1.02.006 2.04.138 3 .405 2.28-1.552 3.285-1.23 3.285-1.23.645 1.653.24 2.873.12 3.176.765.84 1.23 1.91 1.23 3.22 0 4.61-2.805 5.625-5.475 5.92.42.36.81 1.096.81 2.22 0 1.606-.015 2.896-.015 3.286 0 .315.21.69.825.57C20.565 22.092 24 17.592 24 12.297c0-6.627-5.373-12-12-12',
  google:
    'M12.48 10.92v3.28h7.84c-.24 1.84-.853 3.187-1.787 4.133-1.147 1.147-2.933 2.4-6.053 2.4-4.827 0-8.6-3.893-8.6-8.72s3.773-8.72 8.6-8.72c2.6 0 4.507 1.027 5.907 2.347l2.307-2.307C18.747 1.44 16.133 0 12.48 0 5.867 0 .307 5.387.307 12s5.56 12 12.173 12c3.573 0 6.267-1.173 8.373-3.36 2.16-2.16 2.84-5.213 2.84-7.667 0-.76-.053-1.467-.173-2.053H12.48z',
  saml: 'M12 1 3 5v6c0 5.55 3.84 10.74 9 12 5.16-1.26 9-6.45 9-12V5l-9-4zm0 6a3 3 0 1 1 0 6 3 3 0 0 1 0-6zm0 14.1c-2.3-.8-4.2-2.5-5.3-4.6.1-1.7 3.5-2.6 5.3-2.6s5.2.9 5.3 2.6a9 9 0 0 1-5.3 4.6z',
  oidc: 'M14.54.889l-3.63 1.773v18.17c-4.15-.52-7.27-2.78-7.27-5.5 0-2.58 2.8-4.75 6.63-5.41v-2.31C4.42 8.322 0 11.502 0 15.332c0 3.96 4.74 7.24 10.91 7.78l3.63-1.71V.888m.64 6.724v2.31c1.43.25 2.71.7 3.76 1.31l-1.97 1.11 7.03 1.53-.5-5.21-1.87 1.06c-1.74-1.06-3.96-1.81-6.45-2.11z',
};

/** Buttons of the external identity providers, with a separator; empty without any. */
export const upstreamButtons = (uid: string, upstreams: Iterable<IdentityProvider>, then: string | undefined): Html => {
  const all = [...upstreams];
  if (all.length === 0) return html``;
  return html`<div class="upstreams">
${all.map(
  ({ connection, kind, label, sandbox }) =>
    html`<a class="button" href="/oidc/interaction/${uid}/upstream/${connection}"><svg width="16" height="16" viewBox="0 0 24 24" aria-hidden="true"><path d="${logos[kind]}"/></svg>Continue with ${label}${sandbox && html` <span class="tag">sandbox</span>`}</a>`,
)}
</div>${then !== undefined && html`<p class="or"><span>${then}</span></p>`}`;
};
