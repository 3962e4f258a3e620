/** The request of a webhook. */
export type WebhookMessage = { url: string; event: string; headers: Record<string, string>; body: string };

/** A sent webhook with its result; status 0 without a response. */
export type WebhookDelivery = WebhookMessage & { status: number };

/** Sends webhooks one after another, and keeps the log. */
export type WebhookQueue = {
  log: WebhookDelivery[];
  /** Resolves when the message was sent. */
  send: (message: WebhookMessage) => Promise<void>;
  settled: () => Promise<void>;
};

export const createWebhookQueue = (): WebhookQueue => {
  const log: WebhookDelivery[] = [];
  let queue: Promise<void> = Promise.resolve();
  return {
    log,
    send: (message) => {
      queue = queue.then(async () => {
        log.push({ ...message, status: await post(message) });
      });
      return queue;
    },
    settled: () => queue,
  };
};

const post = ({ url, headers, body }: WebhookMessage): Promise<number> =>
  fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
    .then(async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    })
    .catch(() => 0);
