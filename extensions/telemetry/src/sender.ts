import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import type { ApiReply } from './api.ts';
import { createBackoff, longestWaitMs } from './backoff.ts';
import { type Clock, realSchedule, type Schedule } from './clock.ts';
import { isEventOf, type Owner } from './events.ts';
import type { LogState } from './log.ts';
import type { Queue } from './queue.ts';
import type { TokenResult } from './session.ts';
import { deliveryVerdictOf } from './verdict.ts';

export interface SenderState {
  /**
   * `waiting`: the server is unreachable or busy, retried automatically. `signed-out`: no account. `refused`: the
   * server rejects events of this account (archived, no permission, disabled), retried occasionally.
   */
  kind: 'idle' | 'sending' | 'waiting' | 'signed-out' | 'refused';
  /** Unix milliseconds; null without a planned attempt. */
  nextTryAt: number | null;
  /** Human-readable message of the last failure; empty after a success. */
  message: string;
  /** Unix milliseconds of the last batch that the server accepted. */
  lastSentAt: number | null;
}

export interface Sender {
  /** Sends after a short delay that collects more events. Does nothing while an attempt is planned. */
  kick(): void;
  /** Sends now, even before a planned attempt. Resolves when all events are sent or it must wait. */
  flush(): Promise<SenderState>;
  /** As `flush`, but respects the planned attempt: for a worker that has just started. */
  resume(): Promise<SenderState>;
  /** Stops sending; a request in progress may still arrive. */
  stop(): void;
  state(): SenderState;
}

export interface SenderOptions {
  queue: Queue;
  /** Sends the events as a list by POST. */
  post: (token: string, events: readonly IdentifyEvent[]) => Promise<ApiReply>;
  /** `refused`: a token that the server rejected, so that another one is requested. */
  token: (refused?: string) => Promise<TokenResult>;
  /** Queued events of other accounts remain until those accounts sign in again. */
  owner: () => Promise<Owner | null>;
  logEvents?: (events: readonly IdentifyEvent[], state: LogState, reason?: string) => void;
  onState?: (state: SenderState) => void;
  /** From an earlier process, so that a restarted worker respects the requested delay. */
  nextTryAt?: number | null;
  /** Milliseconds for which `kick` collects events. */
  gatherMs?: number;
  clock?: Clock;
  random?: () => number;
  schedule?: Schedule;
}

export const batchEvents = 100;
export const batchBytes = 500_000;

/** Sends queued events, oldest first. An event is removed only after the server has acknowledged it. */
export function createSender(options: SenderOptions): Sender {
  const { queue, post, token, owner, logEvents = () => undefined, onState = () => undefined } = options;
  const { gatherMs = 2000, clock = Date.now, random = Math.random, schedule = realSchedule } = options;
  const wait = createBackoff(random);
  let state: SenderState = { kind: 'idle', nextTryAt: options.nextTryAt ?? null, message: '', lastSentAt: null };
  let running: Promise<SenderState> | undefined;
  let cancel: (() => void) | undefined;
  let stopped = false;
  /** Halved if the server finds a batch too large or invalid, until the invalid event is isolated. */
  let maxBatchSize = batchEvents;
  /** The token that the server rejected last, for which a new one is requested. */
  let rejectedToken: string | undefined;

  const setState = (change: Partial<SenderState>) => {
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
    return setState({ kind, message, nextTryAt: clock() + ms });
  };

  // A time beyond the longest wait means that the clock was set back.
  const hasPlannedDelay = () => {
    const left = (state.nextTryAt ?? 0) - clock();
    return left > 0 && left <= longestWaitMs;
  };

  async function drain(): Promise<SenderState> {
    cancel?.();
    setState({ kind: 'sending', nextTryAt: null });
    rejectedToken = undefined;
    while (!stopped) {
      const who = await owner();
      if (!who) return setState({ kind: 'signed-out', message: '' });
      const batch = fitting(await queue.peek(maxBatchSize, (event) => isEventOf(event, who)));
      if (batch.length === 0) return setState({ kind: 'idle', message: '' });
      const ended = await sendBatch(batch);
      if (ended) return ended;
    }
    return setState({ kind: 'idle' });
  }

  /** Sends one batch. Returns the state in which sending ends, undefined to go on. */
  async function sendBatch(batch: IdentifyEvent[]): Promise<SenderState | undefined> {
    const tokenResult = await token(rejectedToken);
    if (tokenResult.kind === 'signed-out') return setState({ kind: 'signed-out', message: '' });
    if (tokenResult.kind === 'unreachable')
      return later('waiting', wait.next(tokenResult.retryAfterMs), tokenResult.message);
    const reply = await post(tokenResult.token, batch);
    const verdict = deliveryVerdictOf(reply, batch);
    if (verdict.kind === 'renew') {
      // The new token was rejected too: clock or keys of the server are wrong, and further requests would not help.
      if (rejectedToken !== undefined) return later('waiting', wait.next(reply.retryAfterMs), reply.message);
      rejectedToken = tokenResult.token;
      return undefined;
    }
    rejectedToken = undefined;
    if (verdict.kind === 'wait') return later('waiting', wait.next(reply.retryAfterMs), reply.message);
    if (verdict.kind === 'refused') return later('refused', wait.long(reply.retryAfterMs), reply.message);
    if (verdict.kind === 'split') {
      maxBatchSize = Math.max(1, Math.floor(batch.length / 2));
      return undefined;
    }
    await removeFinished(verdict);
    wait.reset();
    maxBatchSize = Math.min(batchEvents, maxBatchSize * 2);
    if (verdict.stored.length > 0) setState({ lastSentAt: clock(), message: '' });
    return undefined;
  }

  async function removeFinished({ stored, dropped }: { stored: IdentifyEvent[]; dropped: [IdentifyEvent, string][] }) {
    await queue.done([...stored, ...dropped.map(([event]) => event)].map((event) => event.message_id));
    logEvents(stored, 'sent');
    for (const [event, reason] of dropped) logEvents([event], 'dropped', reason);
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
    resume: async () => (hasPlannedDelay() ? state : flush()),
    kick: () => {
      if (!running && !hasPlannedDelay()) plan(gatherMs, () => void flush());
    },
    stop: () => {
      stopped = true;
      cancel?.();
    },
    state: () => state,
  };
}

/** Returns as many leading events as one request may contain; at least one. */
function fitting(events: IdentifyEvent[]): IdentifyEvent[] {
  let bytes = 2;
  const end = events.findIndex((event) => {
    bytes += new TextEncoder().encode(JSON.stringify(event)).length + 1;
    return bytes > batchBytes;
  });
  return end === -1 ? events : events.slice(0, Math.max(1, end));
}
