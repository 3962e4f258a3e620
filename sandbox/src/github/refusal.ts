import type { FastifyError, FastifyInstance } from 'fastify';

type Refusal = Error & { statusCode: number; headers: Record<string, string> };

/** Creates an error in the format of GitHub's REST API. */
export const refuse = (statusCode: number, message: string, headers: Record<string, string> = {}): Refusal =>
  Object.assign(new Error(message), { statusCode, headers });

export const notFound = (): Refusal => refuse(404, 'Not Found');

export const badCredentials = (): Refusal => refuse(401, 'Bad credentials');

/** Responds to errors and unknown paths with GitHub's `{ message, documentation_url, status }`. */
export const answerRefusals = (server: FastifyInstance): void => {
  server.setErrorHandler((error: FastifyError | Refusal, _, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) console.error(error);
    const headers = 'headers' in error ? error.headers : {};
    return reply.code(status).headers(headers).send(refusalBody(status, error.message));
  });
  server.setNotFoundHandler((_, reply) => reply.code(404).send(refusalBody(404, 'Not Found')));
};

export const refusalBody = (status: number, message: string) => ({
  message,
  documentation_url: 'https://docs.github.com/rest',
  status: String(status),
});
