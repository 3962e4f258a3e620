import type { FastifyError, FastifyInstance } from 'fastify';
import { addressOf, type Gitea } from './instance.ts';

type GiteaRefusal = Error & { statusCode: number; body: Record<string, unknown> };

/** Creates an error in the format of the API: `{ message, url }`. */
export const refuse = (statusCode: number, message: string): GiteaRefusal =>
  Object.assign(new Error(message), { statusCode, body: { message } });

export const notFound = (): GiteaRefusal => refuse(404, "The target couldn't be found.");

export const answerRefusals = (server: FastifyInstance, gitea: Gitea): void => {
  const url = () => `${addressOf(gitea)}/api/swagger`;
  server.setErrorHandler((error: FastifyError | GiteaRefusal, _, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) console.error(error);
    if ('location' in error) reply.header('location', String(error.location));
    return reply.code(status).send({ ...('body' in error ? error.body : { message: error.message }), url: url() });
  });
  server.setNotFoundHandler((_, reply) =>
    reply.code(404).send({ message: "The target couldn't be found.", url: url() }),
  );
};
