import type { FastifyInstance } from 'fastify';
import type { Receivers } from './receivers.ts';

/** Endpoints that the receivers do not have, below /_sandbox/receivers: credentials, and all received data. */
export const receiverControl = (server: FastifyInstance, { vanta, drata, dojo, gitlab }: Receivers): void => {
  server.get('/receivers', async () => ({
    vanta: {
      clientId: vanta.clientId,
      clientSecret: vanta.clientSecret,
      documents: vanta.documents.map(({ uploads, ...document }) => ({
        ...document,
        uploads: uploads.map(({ content, ...upload }) => ({ ...upload, bytes: content.length })),
      })),
    },
    drata: { key: drata.key, workspaceId: drata.workspaceId, evidence: drata.evidence },
    defectdojo: dojo,
    gitlab: [...gitlab.controls].map(([id, { secret, statuses }]) => ({ id, secret, statuses: [...statuses] })),
  }));
  server.post('/receivers/expire-token', async () => {
    if (vanta.token) vanta.token.expiresAt = 0;
    return { expired: true };
  });
};
