import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AzureDevops } from './collection.ts';

type AzureDevopsQuery = Record<string, string | undefined>;

export const listJson = <T>(value: readonly T[]) => ({ count: value.length, value });

/** Returns the part of `items` for `$top` and `$skip`, also with the prefix of search criteria. */
export const skipped = <T>(azureDevops: AzureDevops, request: FastifyRequest, items: readonly T[]): T[] => {
  const query = request.query as AzureDevopsQuery;
  const top = positive(query['searchCriteria.$top'] ?? query.$top ?? query.top, 100);
  const skip = positive(query['searchCriteria.$skip'] ?? query.$skip ?? query.skip, 0);
  const from = azureDevops.repeatedList?.test(request.url) === true ? 0 : skip;
  return items.slice(from, from + top);
};

/** Returns the part of `items` for `continuationToken`, with the header that names the next one. */
export const continued = <T>(
  azureDevops: AzureDevops,
  request: FastifyRequest,
  reply: FastifyReply,
  { items, most = 100 }: { items: readonly T[]; most?: number },
): T[] => {
  const query = request.query as AzureDevopsQuery;
  const size = Math.min(positive(query.$top, most), most);
  const asked = positive(query.continuationToken, 0);
  const from = azureDevops.repeatedList?.test(request.url) === true ? 0 : asked;
  if (asked + size < items.length) reply.header('x-ms-continuationtoken', String(asked + size));
  return items.slice(from, from + size);
};

const positive = (text: string | undefined, otherwise: number): number =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : otherwise;
