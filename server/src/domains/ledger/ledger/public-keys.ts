import {
  ledgerCosignerKeysPath,
  ledgerKeyPath,
  ledgerKeysPath,
  ledgerPemPath,
} from '@sightline/contract/ledger/ledger.ts';
import { parseVerifier } from '@sightline/evidence/ledger/note.ts';
import { keyIdOf, pemOf } from '@sightline/evidence/ledger/pem.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';

/** Whether a path parameter is the ID of an organization, in the form that it has in addresses of the ledger. */
export const isOrganizationId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/**
 * Serves the public keys of a ledger to anyone with its address, so that auditors can compare a key that came with the
 * evidence. One C2SP verifier key per line, of all epochs, oldest first. The same keys are served as PEM, newest first,
 * and each alone by its ID, for verifiers of signed statements. The keys of ML-DSA-44 have an address of their own.
 */
export function publicKeyRoutes(app: FastifyInstance, { database }: Services): void {
  async function keysOf(orgId: string, column: 'vkey' | 'cosigner_vkey' = 'vkey'): Promise<[string, ...string[]]> {
    if (!isOrganizationId(orgId)) throw NotFound('Ledger');
    const keys = await database.withOrg(orgId, (tx) =>
      tx.db
        .selectFrom('signing_key')
        .select(`${column} as vkey`)
        .where('org_id', '=', orgId)
        .orderBy('epoch')
        .orderBy('from_size')
        .execute(),
    );
    const [first, ...others] = keys.map(({ vkey }) => vkey);
    if (first === undefined) throw NotFound('Ledger');
    return [first, ...others];
  }
  const pemsOf = async (orgId: string) =>
    (await keysOf(orgId)).toReversed().map((vkey) => {
      const { publicKey } = parseVerifier(vkey);
      return { id: keyIdOf(publicKey), pem: pemOf(publicKey) };
    });

  app.get<{ Params: { orgId: string } }>(ledgerKeysPath(':orgId'), async ({ params: { orgId } }, reply) =>
    sendText(reply, 'text/plain; charset=utf-8', (await keysOf(orgId)).map((vkey) => `${vkey}\n`).join('')),
  );
  app.get<{ Params: { orgId: string } }>(ledgerCosignerKeysPath(':orgId'), async ({ params: { orgId } }, reply) =>
    sendText(
      reply,
      'text/plain; charset=utf-8',
      (await keysOf(orgId, 'cosigner_vkey')).map((vkey) => `${vkey}\n`).join(''),
    ),
  );
  app.get<{ Params: { orgId: string } }>(ledgerPemPath(':orgId'), async ({ params: { orgId } }, reply) =>
    sendText(reply, pemType, (await pemsOf(orgId)).map(({ id, pem }) => `keyid: ${id}\n${pem}`).join('\n')),
  );
  app.get<{ Params: { orgId: string; keyId: string } }>(
    ledgerKeyPath(':orgId', ':keyId'),
    async ({ params: { orgId, keyId } }, reply) => {
      const key = (await pemsOf(orgId)).find(({ id }) => id === keyId);
      if (!key) throw NotFound('Signing key');
      return sendText(reply, pemType, key.pem);
    },
  );
}

const pemType = 'application/x-pem-file';

const sendText = (reply: FastifyReply, type: string, text: string): FastifyReply =>
  reply.type(type).header('cache-control', 'no-cache').send(text);
