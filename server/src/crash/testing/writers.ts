import { ApiError, createClient } from '@sightline/contract/core/client.ts';
import { recordEvents } from '@sightline/contract/timeline/events.ts';
import { newId } from '#core/ids.ts';

export interface Writers {
  /** Ids of events whose request was answered with 202. */
  acknowledged: Set<string>;
  /** Ids of events that were sent, answered or not. */
  sent: Set<string>;
  /** Resolves when so many are acknowledged; rejects when the writers end before. */
  reached: (count: number) => Promise<void>;
  /** Resolves when every writer met a server that answers no more; rejects for any other refusal. */
  finished: Promise<void>;
}

const sizes = [1, 7, 20, 3];

/** Writers at once, each sending batch after batch until the server is gone. */
export function startWriters(url: string, token: string, count = 6): Writers {
  const call = createClient({ baseUrl: `${url}/api`, token: () => token });
  const [acknowledged, sent] = [new Set<string>(), new Set<string>()];
  const waiting: { count: number; resolve: () => void }[] = [];

  async function write(writer: number): Promise<void> {
    for (let turn = writer; ; turn += 1) {
      const body = Array.from({ length: sizes[turn % sizes.length] ?? 1 }, (_, index) =>
        eventOf(`${writer} ${turn} ${index}`),
      );
      for (const { message_id } of body) sent.add(message_id);
      try {
        await call(recordEvents, { body });
      } catch (error) {
        if (isGone(error)) return;
        throw error;
      }
      for (const { message_id } of body) acknowledged.add(message_id);
      for (const wish of waiting) if (acknowledged.size >= wish.count) wish.resolve();
    }
  }

  const finished = Promise.all(Array.from({ length: count }, (_, writer) => write(writer))).then(() => undefined);
  const reached = (wanted: number) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ count: wanted, resolve });
      finished.then(() => reject(new Error('The writers ended too early')), reject);
    });
  return { acknowledged, sent, reached, finished };
}

/** No answer at all, or that of a server that is stopping: nothing of the request counts as written. */
const isGone = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || error.status === 503);

export const eventOf = (title: string) => ({
  plugin_id: 'sightline-browser',
  event_type: 'other',
  message_id: newId(),
  identifiers: { tool: title.replaceAll(' ', '-') },
  original_timestamp: new Date().toISOString(),
});
