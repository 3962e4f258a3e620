import { Readable } from 'node:stream';
import {
  createAnchor,
  deleteAnchor,
  getReceipt,
  listAnchorAttempts,
  listAnchors,
  listReceipts,
  publishCheckpoint,
  requestAddressConfirmation,
  updateAnchor,
} from '@sightline/contract/ledger/anchors.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { addAnchor, changeAnchor, publishNow, removeAnchor, resendConfirmation } from './commands.ts';
import {
  findReceipt,
  listAnchors as listAnchorRows,
  listAttempts,
  listReceipts as listReceiptRows,
} from './queries.ts';

export function anchorRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listAnchors, ({ actor: { orgId }, query }) =>
    withOrg(orgId, (tx) => listAnchorRows(tx, orgId, query)),
  );
  route(app, services, createAnchor, ({ actor, body }) => addAnchor(services, actor, body));
  route(app, services, updateAnchor, ({ actor, params, body }) => changeAnchor(services, actor, params.anchorId, body));
  route(app, services, deleteAnchor, ({ actor, params }) => removeAnchor(services, actor, params.anchorId));
  route(app, services, publishCheckpoint, ({ actor, params }) => publishNow(services, actor, params.anchorId));
  route(app, services, requestAddressConfirmation, ({ actor, params, body }) =>
    resendConfirmation(services, actor, params.anchorId, body.address),
  );
  route(app, services, listAnchorAttempts, ({ actor: { orgId }, params, query }) =>
    withOrg(orgId, (tx) => listAttempts(tx, orgId, params.anchorId, query)),
  );
  route(app, services, listReceipts, ({ actor: { orgId }, query }) =>
    withOrg(orgId, (tx) => listReceiptRows(tx, orgId, query)),
  );
  route(app, services, getReceipt, async ({ actor: { orgId }, query }) => {
    const receipt = await withOrg(orgId, (tx) => findReceipt(tx, orgId, query));
    const isStamp = query.kind === 'rfc3161';
    return {
      file: Readable.from([receipt]),
      type: isStamp ? 'application/timestamp-reply' : 'text/plain',
      name: `checkpoint-${query.size}.${isStamp ? 'tsr' : 'txt'}`,
      total: undefined,
    };
  });
}
