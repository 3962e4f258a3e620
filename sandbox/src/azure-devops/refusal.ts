import type { FastifyError, FastifyInstance } from 'fastify';

type AzureDevopsRefusal = Error & { statusCode: number; typeKey: string };

/** Creates an error in the format of the API. */
export const refuse = (statusCode: number, typeKey: string, message: string): AzureDevopsRefusal =>
  Object.assign(new Error(message), { statusCode, typeKey });

export const notFound = (what = 'The resource'): AzureDevopsRefusal =>
  refuse(404, 'GitItemNotFoundException', `TF401174: ${what} could not be found.`);

/** A rejected token: a page for signing in, or nothing if the caller asked for no redirect. */
export const signIn = (isPage: boolean): AzureDevopsRefusal =>
  Object.assign(refuse(isPage ? 203 : 401, 'UnauthorizedRequestException', 'Sign in'), { isPage });

export const answerRefusals = (server: FastifyInstance): void => {
  server.setErrorHandler((error: FastifyError | AzureDevopsRefusal, _, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) console.error(error);
    if ('isPage' in error) {
      const page = '<!DOCTYPE html><html><title>Azure DevOps Services | Sign In</title></html>';
      return reply
        .code(status)
        .type('text/html; charset=utf-8')
        .send(error.isPage ? page : '');
    }
    const typeKey = 'typeKey' in error ? error.typeKey : 'Exception';
    return reply.code(status).send({
      $id: '1',
      innerException: null,
      message: error.message,
      typeName: typeKey,
      typeKey,
      errorCode: 0,
      eventId: 3000,
    });
  });
};
