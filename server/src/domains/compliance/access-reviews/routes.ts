import {
  decideAccessReviewLines,
  getAccessReview,
  listAccessReviewLines,
  listAccessReviews,
  signAccessReview,
} from '@sightline/contract/compliance/access-reviews.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { decideLines, sign } from './commands.ts';
import { findReview, listLines, listReviews } from './queries.ts';

export function accessReviewRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listAccessReviews, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listReviews(tx, actor.orgId, query)),
  );
  route(app, services, getAccessReview, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findReview(tx, actor.orgId, params.reviewId)),
  );
  route(app, services, listAccessReviewLines, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => listLines(tx, actor, params.reviewId, query)),
  );
  route(app, services, decideAccessReviewLines, ({ actor, params, body }) =>
    decideLines(services, actor, params.reviewId, body),
  );
  route(app, services, signAccessReview, ({ actor, params, body }) => sign(services, actor, params.reviewId, body));
}
