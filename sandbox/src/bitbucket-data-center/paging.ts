import type { FastifyRequest } from 'fastify';
import type { DataCenter } from './instance.ts';

/** The largest page of an instance (`page.max.*`). */
const largestPage = 100;

/** Returns the page of `items` for `?start` and `?limit`, in the format of the API. */
export const paginate = <T>(
  dataCenter: DataCenter,
  request: FastifyRequest,
  items: readonly T[],
  { most = largestPage }: { most?: number } = {},
) => {
  const query = request.query as Record<string, string | undefined>;
  const limit = Math.min(numberIn(query.limit, 25), most);
  const start = numberIn(query.start, 0);
  const isRepeated = start > 0 && dataCenter.repeatedList?.test(request.url) === true;
  const from = isRepeated ? Math.max(0, start - limit) : start;
  const values = items.slice(from, from + limit);
  const isLastPage = start + limit >= items.length;
  return { size: values.length, limit, isLastPage, values, start, nextPageStart: isLastPage ? null : start + limit };
};

const numberIn = (text: string | undefined, otherwise: number): number =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : otherwise;
