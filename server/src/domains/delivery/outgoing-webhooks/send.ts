import { Refusal } from '#core/errors.ts';
import { type Outbound, retryAfterSeconds } from '#core/outbound.ts';
import { signedPost } from '#core/standard-webhooks.ts';

/** The result of one attempt. */
export interface AttemptResult {
  /** Null without a response; `failure` then has the reason. */
  status: number | null;
  /** The beginning of the response. */
  response: string | null;
  failure: string | null;
  ms: number;
  /** From `Retry-After`; 0 without one. */
  retryAfterSeconds: number;
}

interface Message {
  id: string;
  body: string;
}

const RESPONSE_BYTES = 1024;

/** Posts a message to a receiver. A failure of the receiver is a result, not an exception. */
export async function send(
  outbound: Outbound,
  url: string,
  { id, body }: Message,
  secrets: readonly string[],
): Promise<AttemptResult> {
  const started = performance.now();
  const passed = () => Math.round(performance.now() - started);
  try {
    const request = signedPost(id, body, secrets);
    const answer = await outbound.fetch('url', url, request, { size: RESPONSE_BYTES, cut: true });
    const { status } = answer;
    return {
      status,
      // PostgreSQL cannot store this character.
      response: answer.body.replaceAll('\0', '\uFFFD'),
      failure: isSuccess(status) ? null : failureOf(status),
      ms: passed(),
      retryAfterSeconds: retryAfterSeconds(answer.headers),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const failure = [error.message, error.extra.cause].filter(Boolean).join(' ');
    return { status: null, response: null, failure, ms: passed(), retryAfterSeconds: 0 };
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300;

const failureOf = (status: number) =>
  status >= 300 && status < 400
    ? `The receiver redirects (status ${status}). Redirects are not followed.`
    : `The receiver responded with status ${status}.`;
