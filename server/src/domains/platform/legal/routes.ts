import type { FastifyInstance } from 'fastify';
import { renderPage } from '#core/pages/frame.ts';
import { html } from '#core/pages/html.ts';
import { sendPage } from '#core/pages/security.ts';
import type { Services } from '#core/services.ts';

/** Terms, privacy and contact pages of the operator, or built-in defaults. */
export function legalRoutes(app: FastifyInstance, { config }: Services): void {
  const pages = [
    ['/terms', 'Terms', config.TERMS_URL, 'TERMS_URL'],
    ['/privacy', 'Privacy', config.PRIVACY_URL, 'PRIVACY_URL'],
    ['/contact', 'Contact us', config.CONTACT_URL, 'CONTACT_URL'],
  ] as const;
  for (const [path, title, address, variable] of pages) {
    const target = address ?? builtInPages[path];
    app.get(path, (_request, reply) =>
      target === undefined ? sendPage(config, reply, placeholderPage(title, variable)) : reply.redirect(target, 302),
    );
  }
}

// The built-in documentation describes the data that Sightline collects for every operator.
const builtInPages: Record<string, string> = { '/privacy': '/docs/privacy' };

const placeholderPage = (title: string, variable: string): string =>
  renderPage({
    title,
    body: html`<h1>${title}</h1>
<p class="lead">This page is not published. Contact the operator of this server.</p>
<p class="lead">Operators: set <code>${variable}</code> to the address of the page.</p>`,
  });
