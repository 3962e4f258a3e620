import {
  decideAccessReviewHostItems,
  decideAccessReviewItems,
  listAccessReviewHostItems,
  listAccessReviewItems,
} from '@sightline/contract/compliance/access-review-items.ts';
import {
  getAccessReview,
  listAccessReviews,
  openAccessReview,
  signAccessReview,
} from '@sightline/contract/compliance/access-reviews.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { decideHostItems, decideReviewItems, openReviewNow, signReview } from './commands.ts';
import { listHostItems } from './list-host-items.ts';
import { findReview, listReviewItems, listReviews } from './queries.ts';

export function accessReviewRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listAccessReviews, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listReviews(tx, actor.orgId, query)),
  );
  route(app, services, openAccessReview, ({ actor }) => openReviewNow(services, actor));
  route(app, services, getAccessReview, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findReview(tx, actor.orgId, params.reviewId)),
  );
  route(app, services, listAccessReviewItems, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => listReviewItems(tx, actor, params.reviewId, query)),
  );
  route(app, services, decideAccessReviewItems, ({ actor, params, body }) =>
    decideReviewItems(services, actor, params.reviewId, body),
  );
  route(app, services, listAccessReviewHostItems, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => listHostItems(tx, actor, params.reviewId, query)),
  );
  route(app, services, decideAccessReviewHostItems, ({ actor, params, body }) =>
    decideHostItems(services, actor, params.reviewId, body),
  );
  route(app, services, signAccessReview, ({ actor, params, body }) =>
    signReview(services, actor, params.reviewId, body),
  );
}
