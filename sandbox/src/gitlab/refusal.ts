import type { FastifyError, FastifyInstance } from 'fastify';

type Refusal = Error & { statusCode: number; body: Record<string, unknown> };

/** Creates an error in the format of GitLab's REST API: `{ message }`, or `body`. */
export const refuse = (statusCode: number, message: string, body?: Record<string, unknown>): Refusal =>
  Object.assign(new Error(message), { statusCode, body: body ?? { message } });

export const notFound = (what = ''): Refusal => refuse(404, `404 ${what === '' ? '' : `${what} `}Not Found`);

/** The OAuth error for a missing scope. */
export const missingScope = (scopes: string[]): Refusal =>
  refuse(403, 'insufficient_scope', {
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope: scopes.join(' '),
  });

export const answerRefusals = (server: FastifyInstance): void => {
  server.setErrorHandler((error: FastifyError | Refusal, _, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) console.error(error);
    if ('location' in error) reply.header('location', String(error.location));
    return reply.code(status).send('body' in error ? error.body : { message: `${status} ${error.message}` });
  });
  server.setNotFoundHandler((_, reply) => reply.code(404).send({ error: '404 Not Found' }));
};
