import {
  decideAccessReviewHostItems,
  decideAccessReviewItems,
  exportAccessReviewHostItems,
  exportAccessReviewItems,
  listAccessReviewHostItems,
  listAccessReviewItems,
} from '@sightline/contract/compliance/access-review-items.ts';
import {
  exportAccessReviews,
  getAccessReview,
  listAccessReviews,
  openAccessReview,
  signAccessReview,
} from '@sightline/contract/compliance/access-reviews.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { decideHostItems, decideReviewItems, openReviewNow, signReview } from './commands.ts';
import { accessReviewCsvColumns, accessReviewHostItemCsvColumns, accessReviewItemCsvColumns } from './csv-columns.ts';
import { listHostItems } from './list-host-items.ts';
import { findReview, listReviewItems, listReviews } from './queries.ts';

export function accessReviewRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listAccessReviews, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listReviews(tx, actor.orgId, query)),
  );
  exportRoute(app, services, [listAccessReviews, exportAccessReviews], {
    name: 'Access reviews',
    columns: accessReviewCsvColumns,
  });
  route(app, services, openAccessReview, ({ actor }) => openReviewNow(services, actor));
  route(app, services, getAccessReview, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findReview(tx, actor.orgId, params.reviewId)),
  );
  route(app, services, listAccessReviewItems, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => listReviewItems(tx, actor, params.reviewId, query)),
  );
  exportRoute(app, services, [listAccessReviewItems, exportAccessReviewItems], {
    name: 'Members under review',
    columns: accessReviewItemCsvColumns,
  });
  route(app, services, decideAccessReviewItems, ({ actor, params, body }) =>
    decideReviewItems(services, actor, params.reviewId, body),
  );
  route(app, services, listAccessReviewHostItems, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => listHostItems(tx, actor, params.reviewId, query)),
  );
  exportRoute(app, services, [listAccessReviewHostItems, exportAccessReviewHostItems], {
    name: 'Access on code hosts under review',
    columns: accessReviewHostItemCsvColumns,
  });
  route(app, services, decideAccessReviewHostItems, ({ actor, params, body }) =>
    decideHostItems(services, actor, params.reviewId, body),
  );
  route(app, services, signAccessReview, ({ actor, params, body }) =>
    signReview(services, actor, params.reviewId, body),
  );
}
