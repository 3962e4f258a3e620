import type { FastifyBaseLogger } from 'fastify';
import { type DestinationStream, pino } from 'pino';
import { activeTraceId } from './tracer.ts';

/** The one logger: JSON lines, secrets removed. An error is logged under `err`: under any other name it would be `{}`. */
export const createLog = (level: string, destination: DestinationStream = pino.destination(1)): FastifyBaseLogger =>
  pino(
    {
      level,
      serializers: { err: errorFields },
      mixin: () => {
        const traceId = activeTraceId();
        return traceId === undefined ? {} : { traceId };
      },
      redact: {
        paths: ['req.headers.authorization', 'req.headers.cookie', '*.token', '*.password', '*.secret', '*.apiKey'],
        censor: '[removed]',
      },
    },
    destination,
  );

/** Other fields of an error may hold the row or the mail it is about. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  return { type, message, stack, ...(code !== undefined && { code }) };
}
