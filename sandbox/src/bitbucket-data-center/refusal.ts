import type { FastifyError, FastifyInstance } from 'fastify';

type DataCenterRefusal = Error & { statusCode: number; exceptionName: string };

/** Creates an error in the format of the API. A missing permission is 401, like a missing token. */
export const refuse = (statusCode: number, message: string, name = 'IllegalEntityStateException'): DataCenterRefusal =>
  Object.assign(new Error(message), { statusCode, exceptionName: `com.atlassian.bitbucket.${name}` });

export const notFound = (message = 'The requested resource does not exist.'): DataCenterRefusal =>
  refuse(404, message, 'NoSuchEntityException');

export const unauthorized = (): DataCenterRefusal =>
  refuse(401, 'You are not permitted to access this resource', 'AuthorisationException');

export const answerRefusals = (server: FastifyInstance): void => {
  server.setErrorHandler((error: FastifyError | DataCenterRefusal, _, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) console.error(error);
    if ('location' in error) reply.header('location', String(error.location));
    const exceptionName = 'exceptionName' in error ? error.exceptionName : null;
    return reply.code(status).send({ errors: [{ context: null, message: error.message, exceptionName }] });
  });
  server.setNotFoundHandler((_, reply) =>
    reply.code(404).send({ errors: [{ context: null, message: 'No such resource.', exceptionName: null }] }),
  );
};
