import { ledgerKeysPath } from '@sightline/contract/ledger/ledger.ts';
import type { FastifyInstance } from 'fastify';
import { NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';

/** Whether a path parameter is the ID of an organization, in the form that it has in addresses of the ledger. */
export const isOrganizationId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/**
 * Serves the public keys of a ledger to anyone with its address, so that auditors can compare a key that came with the
 * evidence. One C2SP verifier key per line, of all epochs, oldest first.
 */
export function publicKeyRoutes(app: FastifyInstance, { database }: Services): void {
  app.get<{ Params: { orgId: string } }>(ledgerKeysPath(':orgId'), async ({ params: { orgId } }, reply) => {
    if (!isOrganizationId(orgId)) throw NotFound('Ledger');
    const keys = await database.withOrg(orgId, (tx) =>
      tx.query<{ vkey: string }>({
        name: 'ledger.public-keys',
        text: 'select vkey from signing_key where org_id = $1 order by epoch, from_size',
        values: [orgId],
      }),
    );
    if (keys.length === 0) throw NotFound('Ledger');
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(keys.map(({ vkey }) => `${vkey}\n`).join(''));
  });
}
