import type { FastifyReply, FastifyRequest } from 'fastify';

/** Returns the page of `items` for `?page` and `?per_page`. Sets a Link header with absolute URLs, as GitHub does. */
export const paginate = <T>(
  request: FastifyRequest,
  reply: FastifyReply,
  items: T[],
  { perPage = 30, most = 100 } = {},
): T[] => {
  const query = request.query as Record<string, string | undefined>;
  const size = Math.min(positive(query.per_page, perPage), most);
  const page = positive(query.page, 1);
  const last = Math.max(1, Math.ceil(items.length / size));
  const links: [string, number][] = [
    ...(page > 1 ? [['prev', Math.min(page - 1, last)] as [string, number]] : []),
    ...(page < last
      ? ([
          ['next', page + 1],
          ['last', last],
        ] as [string, number][])
      : []),
    ...(page > 1 ? [['first', 1] as [string, number]] : []),
  ];
  setLinks(
    request,
    reply,
    links.map(([rel, number]) => [rel, { page: String(number) }]),
  );
  return items.slice((page - 1) * size, page * size);
};

/** Returns a page of a cursor list: the `per_page` items after the cursor in the parameter `name`. */
export const paginateByCursor = <T extends { id: number }>(
  request: FastifyRequest,
  reply: FastifyReply,
  items: T[],
  name = 'cursor',
): T[] => {
  const query = request.query as Record<string, string | undefined>;
  const size = Math.min(positive(query.per_page, 30), 100);
  const after = /^v1_(\d+)$/.exec(query[name] ?? '')?.[1];
  const start = after === undefined ? 0 : items.findIndex((item) => item.id === Number(after)) + 1;
  const page = items.slice(start, start + size);
  const last = page.at(-1);
  if (last !== undefined && start + size < items.length) {
    setLinks(request, reply, [['next', { [name]: `v1_${last.id}` }]]);
  }
  return page;
};

const positive = (text: string | undefined, otherwise: number): number =>
  text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : otherwise;

const setLinks = (request: FastifyRequest, reply: FastifyReply, links: [string, Record<string, string>][]): void => {
  if (links.length === 0) return;
  const written = links.map(([rel, parameters]) => {
    const url = new URL(request.url, `${request.protocol}://${request.host}`);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return `<${url.href}>; rel="${rel}"`;
  });
  reply.header('link', written.join(', '));
};
