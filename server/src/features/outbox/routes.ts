import type { FastifyInstance } from 'fastify';
import { sendPage } from '#core/pages/security.ts';
import type { Services } from '#core/services.ts';
import { outboxPage } from './page.ts';
import { listNewestMails } from './queries.ts';

const shown = 30;

/** The local outbox, only where mails land in it and never in production; elsewhere the address does not exist. */
export function outboxRoutes(app: FastifyInstance, services: Services): void {
  if (services.config.production || !services.mail.local) return;
  app.get('/outbox', async (_request, reply) => {
    const mails = await services.database.global((tx) => listNewestMails(tx, shown));
    // Whoever waits for a mail need not reload.
    if (mails.length === 0) reply.header('refresh', '2');
    return sendPage(services.config, reply, outboxPage(mails), { inlineStyle: true });
  });
}
