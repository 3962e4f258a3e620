import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Returns the page of `items` for `?page` and `?per_page`, with GitLab's headers. `isCounted` is false if GitLab
 * returns no total, as for commits.
 */
export const paginate = <T>(request: FastifyRequest, reply: FastifyReply, items: T[], isCounted = true): T[] => {
  const query = request.query as Record<string, string | undefined>;
  const size = Math.min(positive(query.per_page, 20), 100);
  const page = positive(query.page, 1);
  const hasNext = page * size < items.length;
  const totals = { 'x-total': items.length, 'x-total-pages': Math.max(1, Math.ceil(items.length / size)) };
  reply.headers({
    'x-page': page,
    'x-per-page': size,
    'x-prev-page': page > 1 ? page - 1 : '',
    'x-next-page': hasNext ? page + 1 : '',
    ...(isCounted ? totals : {}),
  });
  if (hasNext) reply.header('link', linkTo(request, { page: String(page + 1) }));
  return items.slice((page - 1) * size, page * size);
};

/** The same with keyset pagination, where only the URL of the next page is known. */
export const paginateByKey = <T extends { id: string; path: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  items: T[],
): T[] => {
  const query = request.query as Record<string, string | undefined>;
  const size = Math.min(positive(query.per_page, 20), 100);
  const token = query.page_token;
  const start = token === undefined ? 0 : items.findIndex(({ path }) => keyOf(path) === token) + 1;
  const page = items.slice(start, start + size);
  const last = page.at(-1);
  if (last !== undefined && start + size < items.length) {
    reply.header('link', linkTo(request, { page_token: keyOf(last.path) }));
  }
  return page;
};

const keyOf = (path: string): string => Buffer.from(path).toString('base64url');

const positive = (text: string | undefined, otherwise: number): number =>
  text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : otherwise;

const linkTo = (request: FastifyRequest, parameters: Record<string, string>): string => {
  const url = new URL(request.url, `${request.protocol}://${request.host}`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return `<${url.href}>; rel="next"`;
};
