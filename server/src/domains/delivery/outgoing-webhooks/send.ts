import { Refusal } from '#core/errors.ts';
import { type Outbound, retryAfterSeconds } from '#core/outbound.ts';
import { signedHeaders } from '#core/standard-webhooks.ts';

/** What came of one try. */
export interface AttemptResult {
  /** Null where nothing was answered; then `failure` says why. */
  status: number | null;
  /** How the answer began. */
  response: string | null;
  failure: string | null;
  ms: number;
  /** Seconds the address asked to be left alone for. */
  wait: number;
}

export interface Message {
  id: string;
  body: string;
}

const excerptBytes = 1024;

/** Posts a message to an address that somebody gave. Throws nothing that the address is to blame for. */
export async function send(
  outbound: Outbound,
  url: string,
  { id, body }: Message,
  secrets: readonly string[],
): Promise<AttemptResult> {
  const started = performance.now();
  const passed = () => Math.round(performance.now() - started);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Sightline-Webhooks/1',
    ...signedHeaders(id, Date.now(), body, secrets),
  };
  try {
    const answer = await outbound.fetch(
      'url',
      url,
      { method: 'POST', headers, body },
      { size: excerptBytes, cut: true },
    );
    const { status } = answer;
    return {
      status,
      // PostgreSQL holds every character but this one.
      response: answer.body.replaceAll('\0', '\uFFFD'),
      failure: isSuccess(status) ? null : reasonOf(status),
      ms: passed(),
      wait: retryAfterSeconds(answer.headers),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const failure = [error.message, error.extra.cause].filter(Boolean).join(' ');
    return { status: null, response: null, failure, ms: passed(), wait: 0 };
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300;

const reasonOf = (status: number) =>
  status >= 300 && status < 400
    ? `The receiver redirects (status ${status}). Redirects are not followed.`
    : `The receiver responded with status ${status}.`;
