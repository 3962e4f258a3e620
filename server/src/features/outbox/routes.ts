import type { FastifyInstance } from 'fastify';
import type { Services } from '#core/services.ts';
import { sendPage } from '../identity/pages/security.ts';
import { outboxPage } from './page.ts';
import { listNewestMails } from './queries.ts';

const shown = 30;

/** The local outbox, only where mails land in it and never in production; elsewhere the address does not exist. */
export function outboxRoutes(app: FastifyInstance, services: Services): void {
  if (services.config.production || !services.mail.local) return;
  app.get('/outbox', async (_request, reply) =>
    sendPage(services.config, reply, outboxPage(await services.database.global((tx) => listNewestMails(tx, shown))), {
      inlineStyle: true,
    }),
  );
}
