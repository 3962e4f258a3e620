import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';

/** Accepted media types of pictures. SVG is excluded, since it can contain scripts. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const;

export const getPicture = endpoint({
  method: 'GET',
  path: '/v2/pictures',
  summary:
    'Returns a picture or logo of another site, fetched by the server so that browsers do not contact that site.',
  scope: 'account',
  query: z.strictObject({ url: z.string().min(1).max(2000) }),
  response: z.string(),
  file: pictureTypes,
  errors: ['upstream_failed'],
});
