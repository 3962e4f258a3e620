import type { FastifyInstance } from 'fastify';
import { frame } from '#core/pages/frame.ts';
import { html } from '#core/pages/html.ts';
import { sendPage } from '#core/pages/security.ts';
import type { Services } from '#core/services.ts';

/** Terms, privacy and contact belong to whoever runs this installation: their own pages, or what we can say of it. */
export function legalRoutes(app: FastifyInstance, { config }: Services): void {
  const pages = [
    ['/terms', 'Terms', config.TERMS_URL, 'TERMS_URL'],
    ['/privacy', 'Privacy', config.PRIVACY_URL, 'PRIVACY_URL'],
    ['/contact', 'Contact us', config.CONTACT_URL, 'CONTACT_URL'],
  ] as const;
  for (const [path, title, address, variable] of pages) {
    const elsewhere = address ?? ours[path];
    app.get(path, (_request, reply) =>
      elsewhere === undefined ? sendPage(config, reply, unset(title, variable)) : reply.redirect(elsewhere, 302),
    );
  }
}

// What Sightline itself collects is written down, whoever runs it.
const ours: Record<string, string> = { '/privacy': '/docs/privacy' };

const unset = (title: string, variable: string): string =>
  frame({
    title,
    body: html`<h1>${title}</h1>
<p class="lead">This page is not published. Contact the operator of this server.</p>
<p class="lead">Operators: set <code>${variable}</code> to the address of the page.</p>`,
  });
