import type { Socket } from 'socket.io';
import type { z } from 'zod';
import { Invalid, Refusal } from './errors.ts';
import type { Claims } from './tokens.ts';

/** The client of an admitted socket. */
export interface SocketCaller {
  /** The socket ID. */
  id: string;
  address: string;
  claims: Claims;
  /** Unvalidated data that the client sent with its token. */
  auth: Readonly<Record<string, unknown>>;
}

/**
 * The reason why a socket ended: the client disconnected, the server disconnected it, the connection was lost, or this
 * node stops.
 */
export type SocketEnding = 'left' | 'cut' | 'lost' | 'stopping';

interface Operation {
  input: z.ZodType;
  answer: (caller: SocketCaller, given: never) => Promise<unknown>;
}

/** The behavior of a feature on the sockets of a namespace. A client receives refusals but no other errors. */
export interface SocketBehavior {
  /** Request handlers by message name. The result is sent in the acknowledgement. */
  operations?: Record<string, Operation>;
  arrive?: (caller: SocketCaller) => Promise<void>;
  leave?: (caller: SocketCaller, ending: SocketEnding) => Promise<void>;
  onError: (error: unknown) => void;
}

/** A request handler with the schema of its input. */
export const socketOperation = <S extends z.ZodType>(
  input: S,
  answer: (caller: SocketCaller, given: z.output<S>) => Promise<unknown>,
): Operation => ({ input, answer });

/** The maximum burst of requests of a socket, and the further requests per second. */
const burst = 30;
const perSecond = 5;
/** Milliseconds until a request times out. */
const timeoutMs = 10_000;

/** Attaches a behavior to a socket. */
export function attachSocketBehavior(
  socket: Socket,
  claims: Claims,
  behavior: SocketBehavior,
  isLeaving: () => boolean,
): void {
  const { onError } = behavior;
  const { address, auth } = socket.handshake;
  const caller: SocketCaller = { id: socket.id, address, claims, auth };
  const arrived = behavior.arrive?.(caller).catch(onError);
  socket.on('disconnect', (reason) => {
    const ending = isLeaving() ? 'stopping' : endings[reason];
    // `leave` runs after `arrive`, also if the connection was lost before the arrival was recorded.
    void Promise.resolve(arrived).then(() => behavior.leave?.(caller, ending ?? 'lost').catch(onError));
  });
  const mayAsk = createTokenBucket();
  for (const [name, { input, answer }] of Object.entries(behavior.operations ?? {})) {
    socket.on(name, async (...given: unknown[]) => {
      const last = given.at(-1);
      const acknowledge = typeof last === 'function' ? last : () => undefined;
      try {
        if (!mayAsk()) throw new Refusal('rate_limited', 'Too many concurrent requests. Try again in a moment.');
        const payload = input.safeParse(typeof given[0] === 'function' ? undefined : given[0]);
        if (!payload.success) throw wrong(payload.error);
        acknowledge(await withTimeout(Promise.resolve(arrived).then(() => answer(caller, payload.data as never))));
      } catch (error) {
        if (!(error instanceof Refusal)) onError(error);
        acknowledge({ error: bodyOf(error) });
      }
    });
  }
}

const endings: Record<string, SocketEnding> = {
  'client namespace disconnect': 'left',
  'server namespace disconnect': 'cut',
};

/** Creates a token bucket: returns whether one more request is allowed. */
function createTokenBucket(): () => boolean {
  let left = burst;
  let at = performance.now();
  return () => {
    const now = performance.now();
    left = Math.min(burst, left + ((now - at) / 1000) * perSecond);
    at = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

function wrong(error: z.ZodError): Refusal {
  const [issue] = error.issues;
  return Invalid(issue?.path.map(String).join('.') ?? '', issue?.message ?? 'is not valid');
}

async function withTimeout<Value>(answer: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Refusal('unavailable', 'No response within 10 seconds.')), timeoutMs);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const bodyOf = (error: unknown) =>
  error instanceof Refusal
    ? { code: error.code, message: error.message }
    : { code: 'internal', message: 'An internal error occurred and was logged.' };
