import { createHmac, randomUUID } from 'node:crypto';

/** One delivery in GitHub's delivery log; `request` and `response` only in the response for its ID. */
export type Delivery = {
  id: number;
  guid: string;
  delivered_at: string;
  redelivery: boolean;
  duration: number;
  status: string;
  status_code: number;
  event: string;
  action: string | null;
  installation_id: number | null;
  repository_id: number | null;
  throttled_at: null;
  url: string;
  request: { headers: Record<string, string>; payload: unknown };
  response: { headers: Record<string, string>; payload: string };
};

export type WebhookEvent = {
  event: string;
  installationId: number;
  repositoryId: number | null;
  payload: Record<string, unknown>;
};

/** Signs and sends webhooks sequentially, and keeps the log. */
export type Webhooks = {
  config: { url: string | undefined; secret: string };
  /** Deliveries that are lost without a log entry: the next `times` of an event, or of any event. */
  losing: { event: string | null; times: number }[];
  /** Every n-th event is delivered twice, or after the next one; 0 is never. */
  disorder: { twiceEvery: number; lateEvery: number };
  log: Delivery[];
  send: (event: WebhookEvent) => Promise<Delivery | undefined>;
  redeliver: (id: number) => Promise<Delivery | undefined>;
  settled: () => Promise<unknown>;
};

export const createWebhooks = (appId: number, secret: string, url: string | undefined): Webhooks => {
  const config = { url, secret };
  const log: Delivery[] = [];
  const losing: Webhooks['losing'] = [];
  const disorder: Webhooks['disorder'] = { twiceEvery: 0, lateEvery: 0 };
  const late: (() => void)[] = [];
  let sent = 0;
  let queue: Promise<unknown> = Promise.resolve();
  let count = 0;

  const enqueue = (event: WebhookEvent, guid: string, redelivery: boolean): Promise<Delivery | undefined> => {
    const { url } = config;
    if (url === undefined) return Promise.resolve(undefined);
    const body = JSON.stringify(event.payload); // serialized now, since it may be sent later
    count += 1;
    const id = firstId + count;
    const delivered = queue.then(async () => {
      const headers = headersOf(appId, { event: event.event, guid, body, secret: config.secret });
      const delivery = { id, guid, redelivery, ...facts(event), ...(await post(url, headers, body)) };
      const entry = { ...delivery, url, request: { headers, payload: JSON.parse(body) as unknown } };
      log.push(entry);
      return entry;
    });
    queue = delivered;
    return delivered;
  };
  const redeliver = async (id: number): Promise<Delivery | undefined> => {
    const delivery = log.find((candidate) => candidate.id === id);
    if (delivery === undefined) return undefined;
    const { event, guid, installation_id: installation, repository_id: repositoryId } = delivery;
    const payload = delivery.request.payload as Record<string, unknown>;
    return enqueue({ event, installationId: installation ?? 0, repositoryId, payload }, guid, true);
  };
  const sendLate = (): void => {
    for (const deliver of late.splice(0)) deliver();
  };
  const sendOutOfOrder = (event: WebhookEvent): Promise<Delivery | undefined> => {
    const guid = randomUUID();
    sent += 1;
    if (isNth(sent, disorder.lateEvery)) {
      setTimeout(sendLate, longestLateMs).unref();
      return new Promise((resolve) => late.push(() => resolve(enqueue(event, guid, false))));
    }
    const delivered = enqueue(event, guid, false);
    if (isNth(sent, disorder.twiceEvery)) void enqueue(event, guid, false);
    sendLate();
    return delivered;
  };
  const send = (event: WebhookEvent) => {
    const loss = losing.find((one) => one.event === null || one.event === event.event);
    if (loss === undefined) return sendOutOfOrder(event);
    loss.times -= 1;
    if (loss.times <= 0) losing.splice(losing.indexOf(loss), 1);
    return Promise.resolve(undefined);
  };
  const settled = (): Promise<unknown> => {
    sendLate();
    return queue;
  };
  return { config, losing, disorder, log, send, redeliver, settled };
};

// An event without a next one is delivered by then.
const longestLateMs = 2_000;
const isNth = (count: number, every: number): boolean => every > 0 && count % every === 0;

const firstId = 12_000_000_000; // GitHub's IDs exceed 2^32
const timeoutMs = 10_000; // as on GitHub

const facts = ({ event, payload, installationId, repositoryId }: WebhookEvent) => ({
  event,
  action: typeof payload.action === 'string' ? payload.action : null,
  installation_id: installationId,
  repository_id: repositoryId,
  throttled_at: null,
});

const headersOf = (
  appId: number,
  { event, guid, body, secret }: { event: string; guid: string; body: string; secret: string },
) => ({
  accept: '*/*',
  'content-type': 'application/json',
  'user-agent': 'GitHub-Hookshot/sandbox',
  'x-github-delivery': guid,
  'x-github-event': event,
  'x-github-hook-id': '1',
  'x-github-hook-installation-target-id': String(appId),
  'x-github-hook-installation-target-type': 'integration',
  'x-hub-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});

const post = async (url: string, headers: Record<string, string>, body: string) => {
  const started = Date.now();
  const outcome = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
    .then(async (answer) => ({
      status: answer.ok ? 'OK' : `Invalid HTTP Response: ${answer.status}`,
      status_code: answer.status,
      response: { headers: Object.fromEntries(answer.headers), payload: await answer.text() },
    }))
    .catch((error: unknown) => ({
      status: error instanceof Error && error.name === 'TimeoutError' ? 'timed out' : 'failed to connect to host',
      status_code: 0,
      response: { headers: {}, payload: '' },
    }));
  return { delivered_at: new Date(started).toISOString(), duration: (Date.now() - started) / 1000, ...outcome };
};
