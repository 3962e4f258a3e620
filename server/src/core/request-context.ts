import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';

const requestIds = new AsyncLocalStorage<string | undefined>();

/** The ID of the request that the calling code works for, also in a job that the request queued. */
export const currentRequestId = (): string | undefined => requestIds.getStore();

/** Runs `work` for a request; undefined for work that no request caused. */
export const withRequestId = <Result>(requestId: string | undefined, work: () => Result): Result =>
  requestIds.run(requestId, work);

// Not earlier: reading a body loses the async context of the request, since body events come from the socket.
export function keepRequestIds(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => withRequestId(request.id, done));
}
