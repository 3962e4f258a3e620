import type { FastifyError, FastifyInstance } from 'fastify';

type GerritRefusal = Error & { statusCode: number };

/** Creates an error in the format of the API: plain text. */
export const refuse = (statusCode: number, message: string): GerritRefusal =>
  Object.assign(new Error(message), { statusCode });

export const notFound = (name: string): GerritRefusal => refuse(404, `Not found: ${name}`);

export const answerRefusals = (server: FastifyInstance): void => {
  server.setErrorHandler((error: FastifyError | GerritRefusal, _, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) console.error(error);
    if (status === 401) reply.header('www-authenticate', 'Basic realm="Gerrit Code Review"');
    return reply.code(status).type('text/plain; charset=UTF-8').send(error.message);
  });
  server.setNotFoundHandler((_, reply) => reply.code(404).type('text/plain; charset=UTF-8').send('Not Found'));
};
