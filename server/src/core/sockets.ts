import type { Socket } from 'socket.io';
import type { z } from 'zod';
import { Invalid, Refusal } from './errors.ts';
import type { Claims } from './tokens.ts';

/** Who is at the other end of a socket that was let in. */
export interface SocketCaller {
  /** Of the socket. */
  id: string;
  address: string;
  claims: Claims;
  /** What the client gave beside its token, as it came. */
  auth: Readonly<Record<string, unknown>>;
}

/** How a socket ended: its client said goodbye, it was cut here, the line broke, or this node stops. */
export type Ending = 'left' | 'cut' | 'lost' | 'stopping';

interface Operation {
  input: z.ZodType;
  answer: (caller: SocketCaller, given: never) => Promise<unknown>;
}

/** What a feature does on the sockets of a namespace. Nothing thrown here reaches the client but a refusal. */
export interface Behavior {
  /** What may be asked, by the name of the message; the answer goes into its acknowledgement. */
  operations?: Record<string, Operation>;
  arrive?: (caller: SocketCaller) => Promise<void>;
  leave?: (caller: SocketCaller, how: Ending) => Promise<void>;
  onError: (error: unknown) => void;
}

/** Something that can be asked on a socket, with what it takes. */
export const operation = <S extends z.ZodType>(
  input: S,
  answer: (caller: SocketCaller, given: z.output<S>) => Promise<unknown>,
): Operation => ({ input, answer });

/** Questions a socket may ask at once, and how many more each second. */
const burst = 30;
const perSecond = 5;
/** Milliseconds until a question counts as unanswered. */
const patience = 10_000;

/** Makes a socket answer what a behavior offers. */
export function behave(socket: Socket, claims: Claims, behavior: Behavior, isLeaving: () => boolean): void {
  const { onError } = behavior;
  const { address, auth } = socket.handshake;
  const caller: SocketCaller = { id: socket.id, address, claims, auth };
  const arrived = behavior.arrive?.(caller).catch(onError);
  socket.on('disconnect', (reason) => {
    const how = isLeaving() ? 'stopping' : endings[reason];
    // In this order, also where the line broke before the arrival was written down.
    void Promise.resolve(arrived).then(() => behavior.leave?.(caller, how ?? 'lost').catch(onError));
  });
  const mayAsk = allowance();
  for (const [name, { input, answer }] of Object.entries(behavior.operations ?? {})) {
    socket.on(name, async (...given: unknown[]) => {
      const last = given.at(-1);
      const acknowledge = typeof last === 'function' ? last : () => undefined;
      try {
        if (!mayAsk()) throw new Refusal('rate_limited', 'Too many concurrent requests. Try again in a moment.');
        const payload = input.safeParse(typeof given[0] === 'function' ? undefined : given[0]);
        if (!payload.success) throw wrong(payload.error);
        acknowledge(await inTime(Promise.resolve(arrived).then(() => answer(caller, payload.data as never))));
      } catch (error) {
        if (!(error instanceof Refusal)) onError(error);
        acknowledge({ error: bodyOf(error) });
      }
    });
  }
}

const endings: Record<string, Ending> = {
  'client namespace disconnect': 'left',
  'server namespace disconnect': 'cut',
};

/** Answers whether one more may pass. */
function allowance(): () => boolean {
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

async function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Refusal('unavailable', 'No response within 10 seconds.')), patience);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

const bodyOf = (error: unknown) =>
  error instanceof Refusal
    ? { code: error.code, message: error.message }
    : { code: 'internal', message: 'An internal error occurred and was logged.' };
