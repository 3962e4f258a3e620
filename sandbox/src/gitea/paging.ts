import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Gitea } from './instance.ts';

/** Returns the page of `items` for `?page` and `?limit`, with the headers of the API. An instance returns at most 50. */
export const paginate = <T>(gitea: Gitea, request: FastifyRequest, reply: FastifyReply, items: T[]): T[] => {
  const query = request.query as Record<string, string | undefined>;
  const size = Math.min(positive(query.limit, 30), 50);
  const page = positive(query.page, 1);
  const pages = Math.max(1, Math.ceil(items.length / size));
  reply.header('x-total-count', items.length);
  reply.header('access-control-expose-headers', 'Link, X-Total-Count');
  if (page < pages)
    reply.header('link', `${linkTo(request, page + 1)}; rel="next",${linkTo(request, pages)}; rel="last"`);
  const isRepeated = page === 2 && gitea.repeatedList?.test(request.url) === true;
  const from = isRepeated ? 0 : (page - 1) * size;
  return items.slice(from, from + size);
};

const positive = (text: string | undefined, otherwise: number): number =>
  text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : otherwise;

const linkTo = (request: FastifyRequest, page: number): string => {
  const url = new URL(request.url, `${request.protocol}://${request.host}`);
  url.searchParams.set('page', String(page));
  return `<${url.href}>`;
};
