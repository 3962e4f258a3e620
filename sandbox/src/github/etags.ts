import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** Adds an ETag to each response and returns 304 for a matching one. As on GitHub, it depends on the token. */
export const tagAnswers = (server: FastifyInstance): void => {
  server.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    const hash = createHash('sha256').update(`${request.headers.authorization}\n`).update(payload).digest('hex');
    reply.header('etag', `W/"${hash}"`).header('cache-control', 'private, max-age=60, s-maxage=60');
    reply.header('vary', 'Accept, Authorization, Cookie, X-GitHub-OTP');
    if (!request.headers['if-none-match']?.includes(hash)) return payload;
    reply.code(304).removeHeader('content-length');
    return '';
  });
};
