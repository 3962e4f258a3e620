import type { FastifyBaseLogger } from 'fastify';
import { type DestinationStream, pino } from 'pino';
import { activeTraceId } from './tracer.ts';

/**
 * Creates the logger: JSON lines without secrets. Errors must be logged as `err`: under any other name an error is
 * `{}`.
 */
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

/** Selects safe fields: other fields of an error may contain the row or email it is about. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  return { type, message, stack, ...(code !== undefined && { code }) };
}
