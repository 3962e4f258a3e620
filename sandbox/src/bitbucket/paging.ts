import type { FastifyRequest } from 'fastify';
import type { Bitbucket } from './bitbucket.ts';
import { refuse } from './refusal.ts';

/** `most`: maximum page size. `isCounted`: whether the response contains the total. */
type Sizes = { most?: number; isCounted?: boolean };

/** Returns the requested page of a list in API format, with the full URL of the next page. */
export const paginate = async <Item, Json>(
  bitbucket: Bitbucket,
  {
    request,
    items,
    toJson,
    sizes: { most = 100, isCounted = true } = {},
  }: {
    request: FastifyRequest;
    items: readonly Item[];
    toJson: (item: Item) => Json | Promise<Json>;
    sizes?: Sizes | undefined;
  },
) => {
  const query = request.query as { page?: string; pagelen?: string };
  const [page, pagelen] = [Number(query.page ?? 1), Number(query.pagelen ?? 10)];
  if (!Number.isSafeInteger(page) || page < 1) throw refuse(400, 'Invalid page');
  if (!Number.isSafeInteger(pagelen) || pagelen < 1 || pagelen > most) throw refuse(400, 'Invalid pagelen');
  const [from, until] = [(page - 1) * pagelen, page * pagelen];
  const next = new URL(request.originalUrl, bitbucket.host.url);
  next.searchParams.set('page', String(page + 1));
  const values: Json[] = [];
  for (const item of items.slice(from, until)) values.push(await toJson(item));
  return {
    values,
    pagelen,
    ...(isCounted ? { size: items.length, page } : {}),
    ...(until < items.length ? { next: next.href } : {}),
  };
};
