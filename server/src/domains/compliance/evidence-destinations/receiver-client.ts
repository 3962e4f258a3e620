import { Refusal } from '#core/errors.ts';
import { parseJson } from '#core/json.ts';
import { type Outbound, retryAfterSeconds } from '#core/outbound.ts';

type Init = NonNullable<Parameters<Outbound['fetch']>[2]>;

/** A request with its response, as stored: without secrets. */
export interface Exchange {
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
  /** Messages for failures that explain more than the response, by status. */
  messages?: Partial<Record<number, string>>;
}

export interface ReceiverAnswer {
  status: number;
  text: string;
  /** The parsed body; undefined if it is not JSON. */
  json: unknown;
}

/** Sends requests to a receiver, stores each with its response and classifies failures. */
export interface ReceiverClient {
  /** Returns the response of a success. Throws `DeliveryRejected` otherwise. */
  request: (request: ReceiverRequest) => Promise<ReceiverAnswer>;
  /** Removes a secret from everything that is stored from now on. */
  redact: (secret: string) => void;
}

/**
 * A failed delivery. `retry`: another attempt may succeed, after `wait` seconds at least. `rejected`: this item will not be accepted.
 * `blocked`: no item will be accepted until an owner changes the destination.
 */
export class DeliveryRejected extends Error {
  override name = 'DeliveryRejected';
  readonly when: 'retry' | 'rejected' | 'blocked';
  readonly wait: number;
  /** Status of the response; null without one. */
  readonly status: number | null;
  constructor(when: DeliveryRejected['when'], message: string, { wait = 0, status = null as number | null } = {}) {
    super(message);
    this.when = when;
    this.wait = wait;
    this.status = status;
  }
}

const STORED_CHARACTERS = 1024;
// Files may be large and connections slow.
const limits = { timeout: 120_000 };
/** Statuses of a failure that may be temporary. */
const RETRIED_STATUSES = [408, 425, 429];

/** A URL below a base URL, which may have a path. */
export const below = (base: string, path: string): URL => new URL(path, base.endsWith('/') ? base : `${base}/`);

export function createReceiverClient(outbound: Outbound, store: (exchange: Exchange) => Promise<void>): ReceiverClient {
  const secrets = new Set<string>();
  const redacted = (text: string): string =>
    [...secrets].reduce((shown, secret) => shown.replaceAll(secret, '•••'), text).replaceAll('\0', '\uFFFD');
  return {
    redact: (secret) => {
      if (secret !== '') secrets.add(secret);
    },
    async request({ method, url, headers = {}, body, messages = {} }) {
      const started = performance.now();
      const request = `${method} ${redacted(url.pathname)}`;
      const record = (status: number | null, response: string | null, failure: string | null) =>
        store({ request, status, response, failure, ms: Math.round(performance.now() - started) });
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
        await record(status, redacted(text.slice(0, STORED_CHARACTERS)), failure && redacted(failure.message));
        if (failure) throw new DeliveryRejected(failure.when, redacted(failure.message), failure);
        return answer;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const message = redacted([error.message, error.extra.cause].filter(Boolean).join(' '));
        await record(null, null, message);
        throw new DeliveryRejected(error.code === 'upstream_failed' ? 'retry' : 'blocked', message);
      }
    },
  };
}

interface Failure extends Pick<DeliveryRejected, 'when' | 'message' | 'wait' | 'status'> {}

function failureOf(
  { host }: URL,
  answer: ReceiverAnswer,
  messages: ReceiverRequest['messages'],
  wait: number,
): Failure | null {
  const { status } = answer;
  if (status >= 200 && status < 300) return null;
  const own = messages?.[status];
  const reason = reasonOf(answer.json);
  const message = own ?? `${host} answered ${status}${reason === '' ? '.' : `: ${reason}`}`;
  if (status >= 300 && status < 400) {
    return {
      when: 'blocked',
      message: `${host} redirects (${status}). Redirects are not followed.`,
      wait,
      status,
    };
  }
  if (status === 401 || status === 403)
    return { when: 'blocked', message: own ?? `Access denied: ${message}`, wait, status };
  if (status >= 500 || RETRIED_STATUSES.includes(status)) return { when: 'retry', message, wait, status };
  return { when: 'rejected', message, wait, status };
}

/** The reason in an error response, by its usual names. */
function reasonOf(json: unknown): string {
  if (typeof json !== 'object' || json === null) return '';
  const { message, error_description, error, detail } = json as Record<string, unknown>;
  const reason = [message, error_description, error, detail].find((one) => one !== undefined) ?? json;
  return (typeof reason === 'string' ? reason : JSON.stringify(reason)).slice(0, 300);
}
