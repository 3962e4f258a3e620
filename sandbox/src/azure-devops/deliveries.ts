import { randomUUID } from 'node:crypto';
import type { AzureHook } from './hook.ts';

/** One delivery of a service hook with its result; status 0 without a response. */
export type AzureHookDelivery = { hookId: string; event: string; url: string; status: number; body: string };

/** Sends events sequentially, and keeps the log. */
export type AzureDeliveries = {
  log: AzureHookDelivery[];
  send: (hook: AzureHook, resource: Record<string, unknown>) => void;
  settled: () => Promise<unknown>;
};

export const createDeliveries = (): AzureDeliveries => {
  const log: AzureHookDelivery[] = [];
  let queue: Promise<void> = Promise.resolve();
  const send: AzureDeliveries['send'] = (hook, resource) => {
    // Serialized now, since it may be sent later.
    const body = JSON.stringify({
      subscriptionId: hook.id,
      notificationId: log.length + 1,
      id: randomUUID(),
      eventType: hook.eventType,
      publisherId: 'tfs',
      message: null,
      detailedMessage: null,
      resource,
      resourceVersion: '1.0',
      resourceContainers: { project: { id: hook.projectId } },
      createdDate: new Date().toISOString(),
    });
    queue = queue.then(async () => {
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'VSServices/19.0.0.0',
        authorization: `Basic ${Buffer.from(`${hook.user}:${hook.password}`).toString('base64')}`,
      };
      const status = await fetch(hook.url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
        .then(async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        })
        .catch(() => 0);
      log.push({ hookId: hook.id, event: hook.eventType, url: hook.url, status, body });
    });
  };
  return { log, send, settled: () => queue };
};
