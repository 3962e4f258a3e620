import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';

/** The one logger: JSON lines, secrets removed. */
export const createLog = (level: string): FastifyBaseLogger =>
  pino({
    level,
    redact: {
      paths: ['req.headers.authorization', 'req.headers.cookie', '*.token', '*.password', '*.secret', '*.apiKey'],
      censor: '[removed]',
    },
  });
