import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import { createLog } from '../log.ts';
import { createQueue } from '../queue.ts';
import { createSender, type SenderOptions } from '../sender.ts';
import type { Store } from '../store.ts';
import { me, record } from './events.ts';
import type { FakeServer } from './server.ts';
import type { World } from './world.ts';

/** Persistent storage of a machine: a file for each queue. */
export type Disk = Map<string, IdentifyEvent[]>;

/** One process of an extension: a window, or a worker until it ends. */
export interface Process {
  record: (count?: number) => Promise<IdentifyEvent[]>;
  queued: () => Promise<IdentifyEvent[]>;
  sender: ReturnType<typeof createSender>;
  log: ReturnType<typeof createLog>;
  /** Adopts the file of an ended process; `until` crashes it after that number of steps. */
  adopt: (file: string, until?: number) => Promise<void>;
  /** Ends the process between two instructions. Its pending operations never complete. */
  crash: () => void;
}

export function startProcess(
  world: World,
  {
    disk,
    server,
    file,
    options = {},
  }: {
    disk: Disk;
    server: FakeServer;
    file: string;
    options?: (Partial<SenderOptions> & { cap?: number; onDropped?: (ids: string[]) => void }) | undefined;
  },
): Process {
  let alive = true;
  // Promises of an ended process never resolve.
  const whileAlive = <T>(value: T): Promise<T> => (alive ? Promise.resolve(value) : new Promise(() => undefined));
  const store: Store = {
    list: () => whileAlive([...(disk.get(file) ?? [])]),
    append: async (events) => {
      await whileAlive(undefined);
      disk.set(file, [...(disk.get(file) ?? []), ...events]);
      await whileAlive(undefined);
    },
    remove: async (ids) => {
      await whileAlive(undefined);
      disk.set(
        file,
        (disk.get(file) ?? []).filter((event) => !ids.has(event.message_id)),
      );
      await whileAlive(undefined);
    },
  };
  const log = createLog({ clock: world.clock });
  const logEvents: typeof log.record = (events, state, reason) => {
    log.record(events, state, reason);
    if (state === 'dropped') options.onDropped?.(events.map(({ message_id }) => message_id));
  };
  const queue = createQueue({
    store,
    ...(options.cap === undefined ? {} : { cap: options.cap }),
    onDropped: (events, reason) => logEvents(events, 'dropped', reason),
  });
  const sender = createSender({
    queue,
    post: async (token, events) => {
      await whileAlive(undefined);
      return whileAlive(await server.take(token, events));
    },
    token: async () => ({ kind: 'token', token: server.token() }),
    owner: async () => me,
    logEvents,
    clock: world.clock,
    random: () => 0.5,
    schedule: (ms, run) => world.schedule(ms, () => alive && run()),
    ...options,
  });
  return {
    sender,
    log,
    queued: () => queue.peek(Number.POSITIVE_INFINITY),
    record: async (count = 1) => {
      const events = Array.from({ length: count }, () => record(world.clock()));
      await queue.add(events);
      log.record(events, 'waiting');
      sender.kick();
      return events;
    },
    adopt: async (orphan, until = Number.POSITIVE_INFINITY) => {
      const events = disk.get(orphan) ?? [];
      if (until > 0) await queue.add(events);
      if (until > 1) disk.delete(orphan);
      if (until > 2) sender.kick();
      else alive = false;
    },
    crash: () => {
      alive = false;
      sender.stop();
    },
  };
}
