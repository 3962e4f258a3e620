import type { FastifyError, FastifyInstance } from 'fastify';

type Refusal = Error & { statusCode: number; detail?: unknown };

/** Creates an error in the format of Bitbucket's REST API. */
export const refuse = (statusCode: number, message: string, detail?: unknown): Refusal =>
  Object.assign(new Error(message), { statusCode, ...(detail === undefined ? {} : { detail }) });

export const notFound = (what: string): Refusal => refuse(404, `${what} not found`);

/** Responds to errors and unknown paths with Bitbucket's `{ type, error: { message, detail } }`. */
export const answerRefusals = (server: FastifyInstance): void => {
  server.setErrorHandler((error: FastifyError | Refusal, _, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) console.error(error);
    const detail = 'detail' in error ? { detail: error.detail } : {};
    return reply.code(status).send({ type: 'error', error: { message: error.message, ...detail } });
  });
  server.setNotFoundHandler((_, reply) =>
    reply.code(404).send({ type: 'error', error: { message: 'Resource not found' } }),
  );
};
