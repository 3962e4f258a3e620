import { Readable } from 'node:stream';
import {
  getLedger,
  getLedgerCheckpoint,
  getLedgerConsistency,
  getLedgerProof,
  getLedgerSize,
  listLedgerEntries,
  updateLedgerAccess,
} from '@sightline/contract/ledger/ledger.ts';
import type { FastifyInstance } from 'fastify';
import { type FileAnswer, route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { changeLedgerAccess } from './access.ts';
import { signHeadForEntry } from './checkpoints.ts';
import { findLedgerSize } from './ledger-sizes.ts';
import { publicKeyRoutes } from './public-keys.ts';
import {
  findCheckpoint,
  findConsistencyProof,
  findInclusionProofText,
  findLedger,
  readLedgerEntries,
} from './queries.ts';
import { tlogTileRoutes } from './tlog-tiles.ts';

export function ledgerRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  route(app, services, getLedger, ({ actor }) => database.withOrg(actor.orgId, (tx) => findLedger(tx, actor.orgId)));
  route(app, services, getLedgerCheckpoint, async ({ actor, query }) => {
    const { note, size } = await database.withOrg(actor.orgId, (tx) => findCheckpoint(tx, actor.orgId, query));
    return fileOf(note, 'text/plain', `checkpoint-${size}.txt`);
  });
  route(app, services, listLedgerEntries, ({ actor, query }) =>
    database.withOrg(actor.orgId, (tx) => readLedgerEntries(tx, actor.orgId, query)),
  );
  route(app, services, getLedgerProof, async ({ actor, params, query }) => {
    if (query.size === undefined) await signHeadForEntry(services.ledger, actor.orgId, params.entryId);
    const proof = await database.withOrg(actor.orgId, (tx) =>
      findInclusionProofText(tx, actor.orgId, params.entryId, query.size),
    );
    return fileOf(proof, 'text/plain', `${params.entryId}.tlog-proof`);
  });
  route(app, services, getLedgerSize, ({ actor, query }) =>
    database.withOrg(actor.orgId, (tx) => findLedgerSize(tx, actor.orgId, query)),
  );
  route(app, services, updateLedgerAccess, ({ actor, body }) => changeLedgerAccess(services, actor, body));
  route(app, services, getLedgerConsistency, ({ actor, query }) =>
    database.withOrg(actor.orgId, (tx) => findConsistencyProof(tx, actor.orgId, query)),
  );
  publicKeyRoutes(app, services);
  tlogTileRoutes(app, services);
}

const fileOf = (content: string | Uint8Array, type: string, name: string): FileAnswer => ({
  file: Readable.from([typeof content === 'string' ? content : Buffer.from(content)]),
  type,
  name,
  total: undefined,
});
