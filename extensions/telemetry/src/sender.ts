import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import type { Reply } from './api.ts';
import { backoff, longestWaitMs } from './backoff.ts';
import { type Clock, realSchedule, type Schedule } from './clock.ts';
import { isOf, type Owner } from './events.ts';
import type { LogState } from './log.ts';
import type { Queue } from './queue.ts';
import type { TokenResult } from './session.ts';
import { verdictOf } from './verdict.ts';

export interface SenderState {
  /**
   * `waiting`: the server is away or busy, tried again by itself. `signed-out`: nobody is signed in. `refused`: the server
   * does not want events of this person now (archived, no right, switched off); tried again now and then.
   */
  kind: 'idle' | 'sending' | 'waiting' | 'signed-out' | 'refused';
  /** Unix milliseconds; null while nothing is planned. */
  nextTryAt: number | null;
  /** Of the last failure, as a person may read it; empty after a success. */
  message: string;
  /** Unix milliseconds of the last batch the server took. */
  lastSentAt: number | null;
}

export interface Sender {
  /** There may be something to send: gathers for a moment, then sends. Does nothing while it waits for its next try. */
  kick(): void;
  /** Sends now, also before a next try that was planned; resolves when all is sent or it has to wait. */
  flush(): Promise<SenderState>;
  /** As `flush`, but keeps to the next try that was planned: for a worker that has just woken. */
  resume(): Promise<SenderState>;
  /** Nothing more is sent; what is on its way may still arrive. */
  stop(): void;
  state(): SenderState;
}

export interface SenderOptions {
  queue: Queue;
  /** POST of the events as a list. */
  post: (token: string, events: readonly IdentifyEvent[]) => Promise<Reply>;
  /** `refused` names a token that the server did not take; then another one is asked for. */
  token: (refused?: string) => Promise<TokenResult>;
  /** Events of others who were signed in before stay in the queue until they are back. */
  owner: () => Promise<Owner | null>;
  note?: (events: readonly IdentifyEvent[], state: LogState, reason?: string) => void;
  onState?: (state: SenderState) => void;
  /** From an earlier process, so that a worker that was ended keeps to what the server asked for. */
  nextTryAt?: number | null;
  /** How long `kick` waits for more. */
  gatherMs?: number;
  clock?: Clock;
  random?: () => number;
  schedule?: Schedule;
}

export const batchEvents = 100;
export const batchBytes = 500_000;

/** Sends what is queued, oldest first; an event leaves the queue only after the server has answered for it. */
export function createSender(options: SenderOptions): Sender {
  const { queue, post, token, owner, note = () => undefined, onState = () => undefined } = options;
  const { gatherMs = 2000, clock = Date.now, random = Math.random, schedule = realSchedule } = options;
  const wait = backoff(random);
  let state: SenderState = { kind: 'idle', nextTryAt: options.nextTryAt ?? null, message: '', lastSentAt: null };
  let running: Promise<SenderState> | undefined;
  let cancel: (() => void) | undefined;
  let stopped = false;
  /** Halved where the server finds a batch too large or bad as a whole, until the bad one is alone. */
  let most = batchEvents;
  /** The token that the server rejected last, for which a new one is requested. */
  let rejectedToken: string | undefined;

  const become = (change: Partial<SenderState>) => {
    state = { ...state, ...change };
    onState(state);
    return state;
  };
  const plan = (ms: number, run: () => void) => {
    cancel?.();
    cancel = stopped ? undefined : schedule(ms, run);
  };
  const later = (kind: 'waiting' | 'refused', ms: number, message: string) => {
    plan(ms, () => void flush());
    return become({ kind, message, nextTryAt: clock() + ms });
  };

  // A time further away than we ever wait is one of a clock that was set back.
  const mustWait = () => {
    const left = (state.nextTryAt ?? 0) - clock();
    return left > 0 && left <= longestWaitMs;
  };

  async function drain(): Promise<SenderState> {
    cancel?.();
    become({ kind: 'sending', nextTryAt: null });
    rejectedToken = undefined;
    while (!stopped) {
      const who = await owner();
      if (!who) return become({ kind: 'signed-out', message: '' });
      const batch = fitting(await queue.peek(most, (event) => isOf(event, who)));
      if (batch.length === 0) return become({ kind: 'idle', message: '' });
      const ended = await sendBatch(batch);
      if (ended) return ended;
    }
    return become({ kind: 'idle' });
  }

  /** Sends one batch. Returns the state in which sending ends, undefined to go on. */
  async function sendBatch(batch: IdentifyEvent[]): Promise<SenderState | undefined> {
    const got = await token(rejectedToken);
    if (got.kind === 'signed-out') return become({ kind: 'signed-out', message: '' });
    if (got.kind === 'unreachable') return later('waiting', wait.next(got.retryAfterMs), got.message);
    const reply = await post(got.token, batch);
    const verdict = verdictOf(reply, batch);
    if (verdict.kind === 'renew') {
      // A new token that is rejected too: the clock or the keys of the server are wrong, and further requests would not help.
      if (rejectedToken !== undefined) return later('waiting', wait.next(reply.retryAfterMs), reply.message);
      rejectedToken = got.token;
      return undefined;
    }
    rejectedToken = undefined;
    if (verdict.kind === 'wait') return later('waiting', wait.next(reply.retryAfterMs), reply.message);
    if (verdict.kind === 'refused') return later('refused', wait.long(reply.retryAfterMs), reply.message);
    if (verdict.kind === 'split') {
      most = Math.max(1, Math.floor(batch.length / 2));
      return undefined;
    }
    await settle(verdict);
    wait.reset();
    most = Math.min(batchEvents, most * 2);
    if (verdict.stored.length > 0) become({ lastSentAt: clock(), message: '' });
    return undefined;
  }

  async function settle({ stored, dropped }: { stored: IdentifyEvent[]; dropped: [IdentifyEvent, string][] }) {
    await queue.done([...stored, ...dropped.map(([event]) => event)].map((event) => event.message_id));
    note(stored, 'sent');
    for (const [event, reason] of dropped) note([event], 'dropped', reason);
  }

  function flush(): Promise<SenderState> {
    if (stopped) return Promise.resolve(state);
    running ??= drain()
      .catch(() => later('waiting', wait.next(null), 'Sending failed.'))
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  return {
    flush,
    resume: async () => (mustWait() ? state : flush()),
    kick: () => {
      if (!running && !mustWait()) plan(gatherMs, () => void flush());
    },
    stop: () => {
      stopped = true;
      cancel?.();
    },
    state: () => state,
  };
}

/** As many of the first as one request may carry; at least one. */
function fitting(events: IdentifyEvent[]): IdentifyEvent[] {
  let bytes = 2;
  const end = events.findIndex((event) => {
    bytes += new TextEncoder().encode(JSON.stringify(event)).length + 1;
    return bytes > batchBytes;
  });
  return end === -1 ? events : events.slice(0, Math.max(1, end));
}
