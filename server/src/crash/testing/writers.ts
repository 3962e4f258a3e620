import { ApiError, createClient } from '@sightline/contract/core/client.ts';
import { recordEvents } from '@sightline/contract/timeline/events.ts';
import { newId } from '#core/ids.ts';

export interface EventWriters {
  /** IDs of events whose request returned 202. */
  acknowledged: Set<string>;
  /** IDs of sent events, with or without a response. */
  sent: Set<string>;
  /** Resolves when `count` events are acknowledged. Rejects if the writers end before. */
  reached: (count: number) => Promise<void>;
  /** Resolves when no writer gets a response any more. Rejects for any other error. */
  finished: Promise<void>;
}

const sizes = [1, 7, 20, 3];

/** Starts `count` writers, each of which sends batch after batch until the server does not respond. */
export function startEventWriters(url: string, token: string, count = 6): EventWriters {
  const call = createClient({ baseUrl: `${url}/api`, token: () => token });
  const [acknowledged, sent] = [new Set<string>(), new Set<string>()];
  const waiting: { count: number; resolve: () => void }[] = [];

  async function write(writer: number): Promise<void> {
    for (let turn = writer; ; turn += 1) {
      const body = Array.from({ length: sizes[turn % sizes.length] ?? 1 }, (_, index) =>
        newEventItem(`${writer} ${turn} ${index}`),
      );
      if (!(await send(body))) return;
    }
  }

  /** Returns whether the server responded. */
  async function send(body: ReturnType<typeof newEventItem>[]): Promise<boolean> {
    for (const { message_id } of body) sent.add(message_id);
    try {
      await call(recordEvents, { body });
    } catch (error) {
      if (isDown(error)) return false;
      throw error;
    }
    for (const { message_id } of body) acknowledged.add(message_id);
    for (const waiter of waiting) if (acknowledged.size >= waiter.count) waiter.resolve();
    return true;
  }

  const finished = Promise.all(Array.from({ length: count }, (_, writer) => write(writer))).then(() => undefined);
  const reached = (minimum: number) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ count: minimum, resolve });
      finished.then(() => reject(new Error('The writers ended too early')), reject);
    });
  return { acknowledged, sent, reached, finished };
}

/** No response, or that of a stopping server or a moved organization: no event of the request counts as written. */
const isDown = (error: unknown): boolean => error instanceof ApiError && [0, 410, 503].includes(error.status);

export const newEventItem = (title: string) => ({
  plugin_id: 'sightline-browser',
  event_type: 'other',
  message_id: newId(),
  identifiers: { tool: title.replaceAll(' ', '-') },
  original_timestamp: new Date().toISOString(),
});
