import { Refusal } from '#core/errors.ts';
import { parseJson } from '#core/json.ts';
import { type Outbound, retryAfterSeconds } from '#core/outbound.ts';

type Init = NonNullable<Parameters<Outbound['fetch']>[2]>;

/** What was asked and answered, without secrets, as it is kept. */
export interface Exchanged {
  request: string;
  status: number | null;
  response: string | null;
  failure: string | null;
  ms: number;
}

export interface ReceiverRequest extends Pick<Init, 'body'> {
  method: 'GET' | 'POST' | 'PATCH';
  url: URL;
  headers?: Record<string, string>;
  /** Refusals that have better words than the answer itself, by status. */
  messages?: Partial<Record<number, string>>;
}

export interface ReceiverAnswer {
  status: number;
  text: string;
  /** As JSON; undefined where it is none. */
  json: unknown;
}

/** The way out: every question goes through it, is written down and evaluated. */
export interface Sink {
  /** Answers what was answered well. Throws `NotTaken` for everything else. */
  ask: (question: ReceiverRequest) => Promise<ReceiverAnswer>;
  /** From now on this is kept out of what is written down. */
  hide: (secret: string) => void;
}

/**
 * Something did not arrive. `later`: it may when it is tried again, after `wait` seconds at least. `never`: it will not as it is.
 * `shut_out`: nothing will, until somebody changes the destination.
 */
export class NotTaken extends Error {
  override name = 'NotTaken';
  readonly when: 'later' | 'never' | 'shut_out';
  readonly wait: number;
  /** What was answered; null where nothing was. */
  readonly status: number | null;
  constructor(when: NotTaken['when'], message: string, { wait = 0, status = null as number | null } = {}) {
    super(message);
    this.when = when;
    this.wait = wait;
    this.status = status;
  }
}

const snippet = 1024;
// Files may be large, and lines slow.
const limits = { timeout: 120_000 };
/** HTTP: come again. */
const comeAgain = [408, 425, 429];

/** An address below the one that was given, which may be a folder of a host. */
export const below = (base: string, path: string): URL => new URL(path, base.endsWith('/') ? base : `${base}/`);

export function createSink(outbound: Outbound, keep: (exchanged: Exchanged) => Promise<void>): Sink {
  const hidden = new Set<string>();
  const without = (text: string): string =>
    [...hidden].reduce((shown, secret) => shown.replaceAll(secret, '•••'), text).replaceAll('\0', '\uFFFD');
  return {
    hide: (secret) => {
      if (secret !== '') hidden.add(secret);
    },
    async ask({ method, url, headers = {}, body, messages = {} }) {
      const started = performance.now();
      const request = `${method} ${without(url.pathname)}`;
      const write = (status: number | null, response: string | null, failure: string | null) =>
        keep({ request, status, response, failure, ms: Math.round(performance.now() - started) });
      try {
        const answered = await outbound.fetch(
          'url',
          url.href,
          {
            method,
            headers: { accept: 'application/json', 'user-agent': 'Sightline-EvidenceDestination/1', ...headers },
            body: body ?? null,
          },
          limits,
        );
        const { status, body: text } = answered;
        const answer = { status, text, json: parseJson(text) };
        const failure = failureOf(url, answer, messages, retryAfterSeconds(answered.headers));
        await write(status, without(text.slice(0, snippet)), failure && without(failure.message));
        if (failure) throw new NotTaken(failure.when, without(failure.message), failure);
        return answer;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const message = without([error.message, error.extra.cause].filter(Boolean).join(' '));
        await write(null, null, message);
        throw new NotTaken(error.code === 'upstream_failed' ? 'later' : 'shut_out', message);
      }
    },
  };
}

interface Failure extends Pick<NotTaken, 'when' | 'message' | 'wait' | 'status'> {}

function failureOf(
  { host }: URL,
  answer: ReceiverAnswer,
  messages: ReceiverRequest['messages'],
  wait: number,
): Failure | null {
  const { status } = answer;
  if (status >= 200 && status < 300) return null;
  const own = messages?.[status];
  const told = toldBy(answer.json);
  const message = own ?? `${host} answered ${status}${told === '' ? '.' : `: ${told}`}`;
  if (status >= 300 && status < 400) {
    return {
      when: 'shut_out',
      message: `${host} redirects (${status}). Redirects are not followed.`,
      wait,
      status,
    };
  }
  if (status === 401 || status === 403)
    return { when: 'shut_out', message: own ?? `Access denied: ${message}`, wait, status };
  if (status >= 500 || comeAgain.includes(status)) return { when: 'later', message, wait, status };
  return { when: 'never', message, wait, status };
}

/** What an answer says went wrong, by the names that are in use for it. */
function toldBy(json: unknown): string {
  if (typeof json !== 'object' || json === null) return '';
  const { message, error_description, error, detail } = json as Record<string, unknown>;
  const told = [message, error_description, error, detail].find((one) => one !== undefined) ?? json;
  return (typeof told === 'string' ? told : JSON.stringify(told)).slice(0, 300);
}
