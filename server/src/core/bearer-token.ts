import type { FastifyRequest } from 'fastify';

/** The bearer token of a request; undefined without one. */
export const bearerTokenOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
