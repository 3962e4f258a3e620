import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { sendPage } from '#core/pages/security.ts';
import type { Services } from '#core/services.ts';
import { confirmAddress, maybeUnconfirmedAddress } from './addresses.ts';
import { confirmedPage, confirmPage, confirmPath, invalidLinkPage } from './confirm-pages.ts';

const given = z.object({ token: z.string().max(200) }).catch({ token: '' });

/** The page behind the link in a mail. No endpoints of the contract: the token is the proof, without a sign-in. */
export async function confirmAddressRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { config } = services;
  await app.register(async (pages) => {
    await pages.register(formbody, { bodyLimit: 1000 });

    pages.get(confirmPath, async (request, reply) => {
      const { token } = given.parse(request.query);
      const unconfirmed = await maybeUnconfirmedAddress(services, token);
      return unconfirmed
        ? sendPage(config, reply, confirmPage(unconfirmed, token))
        : sendPage(config, reply.status(410), invalidLinkPage);
    });

    pages.post(confirmPath, async (request, reply) => {
      const confirmed = await confirmAddress(services, given.parse(request.body).token, request.id);
      return confirmed
        ? sendPage(config, reply, confirmedPage(confirmed))
        : sendPage(config, reply.status(410), invalidLinkPage);
    });
  });
}
