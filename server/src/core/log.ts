import type { FastifyBaseLogger } from 'fastify';
import { type DestinationStream, pino } from 'pino';

/** The one logger: JSON lines, secrets removed. An error stands under `err`: under any other name it would be `{}`. */
export const createLog = (level: string, destination: DestinationStream = pino.destination(1)): FastifyBaseLogger =>
  pino(
    {
      level,
      redact: {
        paths: ['req.headers.authorization', 'req.headers.cookie', '*.token', '*.password', '*.secret', '*.apiKey'],
        censor: '[removed]',
      },
    },
    destination,
  );
