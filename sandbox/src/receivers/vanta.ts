import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { enableMultipartForms, fieldOf, fileOf, formOf } from './multipart.ts';
import type { Receivers, VantaDocument } from './receivers.ts';

type DocumentListRoute = { Params: { id: string }; Querystring: { pageSize?: string; pageCursor?: string } };

const needed = ['vanta-api.all:read', 'vanta-api.all:write', 'vanta-api.documents:upload'];
const hour = 3_600_000;

/** The documents of Vanta's Manage API: one valid token per client, for an hour. */
export const vantaRoutes = (server: FastifyInstance, { vanta }: Receivers): void => {
  enableMultipartForms(server);
  server.post<{ Body: Record<string, string> | undefined }>('/oauth/token', async (request, reply) => {
    const { client_id, client_secret, scope = '', grant_type } = request.body ?? {};
    if (grant_type !== 'client_credentials') return reply.code(400).send({ error: 'unsupported_grant_type' });
    if (client_id !== vanta.clientId || client_secret !== vanta.clientSecret) {
      return reply.code(401).send({ error: 'invalid_client' });
    }
    if (!needed.every((one) => scope.split(' ').includes(one))) return reply.code(400).send({ error: 'invalid_scope' });
    vanta.token = { value: `vat_${randomBytes(16).toString('hex')}`, expiresAt: Date.now() + hour };
    return { access_token: vanta.token.value, expires_in: hour / 1000, token_type: 'Bearer' };
  });
  server.addHook('preHandler', async (request, reply) => {
    if (request.url.endsWith('/oauth/token')) return;
    const { token } = vanta;
    if (token !== undefined && token.expiresAt > Date.now() && bearerOf(request) === token.value) return;
    return reply.code(401).send({ message: 'Unauthorized' });
  });
  const named = ({ id }: DocumentListRoute['Params']): VantaDocument | undefined =>
    vanta.documents.find((one) => one.id === id);
  const missing = { message: 'Document not found' };
  server.get<DocumentListRoute>('/v1/documents/:id', async ({ params }, reply) => {
    const document = named(params);
    if (document === undefined) return reply.code(404).send(missing);
    return { id: document.id, title: document.title, uploadStatus: document.submitted > 0 ? 'OK' : 'Needs document' };
  });
  server.get<DocumentListRoute>('/v1/documents/:id/uploads', async ({ params, query }, reply) => {
    const document = named(params);
    if (document === undefined) return reply.code(404).send(missing);
    const size = Number(query.pageSize ?? 10);
    if (!(size >= 1 && size <= 100)) return reply.code(400).send({ message: 'Invalid pageSize' });
    const from = document.uploads.findIndex(({ id }) => id === query.pageCursor) + 1;
    const data = document.uploads.slice(from, from + size);
    const hasNextPage = from + size < document.uploads.length;
    return {
      results: {
        data: data.map(({ id, name, type, description }) => ({ id, fileName: name, mimeType: type, description })),
        pageInfo: { hasNextPage, endCursor: data.at(-1)?.id ?? null },
      },
    };
  });
  server.post<DocumentListRoute>('/v1/documents/:id/uploads', async (request, reply) => {
    const document = named(request.params);
    if (document === undefined) return reply.code(404).send(missing);
    const form = formOf(request);
    if (form === undefined) return reply.code(415).send({ message: 'Expected multipart/form-data' });
    const file = await fileOf(form);
    if (file === undefined) return reply.code(400).send({ message: 'File is required' });
    const effectiveDate = fieldOf(form, 'effectiveAtDate');
    if (effectiveDate !== null && Number.isNaN(Date.parse(effectiveDate))) {
      return reply.code(422).send({ message: 'Invalid effectiveAtDate' });
    }
    const upload = {
      ...file,
      id: randomBytes(12).toString('hex'),
      description: fieldOf(form, 'description'),
      effectiveDate,
    };
    document.uploads.push(upload);
    return reply.code(201).send({ id: upload.id, fileName: file.name, mimeType: file.type, title: document.title });
  });
  server.post<DocumentListRoute>('/v1/documents/:id/submit', async ({ params }, reply) => {
    const document = named(params);
    if (document === undefined) return reply.code(404).send(missing);
    if (document.submitted === document.uploads.length) return reply.code(400).send({ message: 'No draft uploads' });
    document.submitted = document.uploads.length;
    return reply.code(204).send();
  });
};

const bearerOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
