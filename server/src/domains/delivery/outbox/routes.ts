import type { FastifyInstance, FastifyRequest } from 'fastify';
import { NotFound } from '#core/errors.ts';
import { isFromThisMachine } from '#core/hosts.ts';
import { sendPage } from '#core/pages/security.ts';
import type { Services } from '#core/services.ts';
import { mailPage, outboxPage } from './page.ts';
import { listNewestMails, maybeMail } from './queries.ts';

const shown = 30;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The local outbox, only where mails land in it and never in production, for programs on this machine: its links reset passwords. Elsewhere the
 * address does not exist.
 */
export function outboxRoutes(app: FastifyInstance, services: Services): void {
  if (services.config.production || !services.mail.local) return;
  const onRequest = async ({ raw }: FastifyRequest): Promise<void> => {
    if (!isFromThisMachine(raw.socket.remoteAddress, raw.headers)) throw NotFound('Page');
  };
  app.get('/outbox', { onRequest }, async (_request, reply) => {
    const mails = await services.database.global((tx) => listNewestMails(tx, shown));
    // Whoever waits for a mail need not reload.
    reply.header('refresh', '2');
    return sendPage(services.config, reply, outboxPage(mails));
  });
  app.get<{ Params: { id: string } }>('/outbox/:id', { onRequest }, async ({ params: { id } }, reply) => {
    const mail = uuid.test(id) ? await services.database.global((tx) => maybeMail(tx, id)) : undefined;
    if (!mail) throw NotFound('Email');
    return sendPage(services.config, reply, mailPage(mail), { inlineStyle: true });
  });
}
