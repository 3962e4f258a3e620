import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { commaList } from '../core/text.ts';

/** Maximum number of people in one request for pictures. */
export const MAX_PICTURED_PEOPLE = 100;

export const findPictures = endpoint({
  method: 'GET',
  path: '/v2/people/pictures',
  summary: 'Returns the picture URLs of members and other people, by the ID of their account or person.',
  scope: 'organization',
  permission: 'read:org',
  query: z.strictObject({ ids: commaList(z.uuid(), MAX_PICTURED_PEOPLE) }),
  response: z.object({ pictures: z.record(z.string(), z.string()) }),
});
