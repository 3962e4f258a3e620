import { Refusal } from '#core/errors.ts';
import { type Outbound, retryAfterSeconds } from '#core/outbound.ts';
import type { ChatFailure } from './chat.ts';

type Answer = Awaited<ReturnType<Outbound['fetch']>>;
type Init = Parameters<Outbound['fetch']>[2];

export const failureOf = (
  of: ChatFailure['of'],
  message: string,
  more: Partial<Pick<ChatFailure, 'retryAfterSeconds' | 'isUnclear'>> = {},
): { failure: ChatFailure } => ({ failure: { message, of, retryAfterSeconds: 0, isUnclear: false, ...more } });

/**
 * Sends a request and handles what all services share: no response, limits, and failures of their servers. `title`: the
 * name of the service.
 */
export async function sendRequest(
  outbound: Outbound,
  title: string,
  url: string,
  init: Init,
): Promise<Answer | { failure: ChatFailure }> {
  let answer: Answer;
  try {
    answer = await outbound.fetch('url', url, init, { size: 1024 * 1024 });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // A URL that may not be called was not called; every other failure leaves open whether the post arrived.
    const isUnclear = error.code !== 'validation_failed';
    return failureOf('target', [error.message, error.extra.cause].filter(Boolean).join(' '), { isUnclear });
  }
  const { status, headers } = answer;
  const wait = retryAfterSeconds(headers);
  if (status === 429) {
    return failureOf('limit', `${title} limits the number of messages.`, { retryAfterSeconds: wait });
  }
  if (status >= 500) {
    const message = `${title} responded with status ${status}.`;
    return failureOf('target', message, { retryAfterSeconds: wait, isUnclear: true });
  }
  return answer;
}

/** Shortens a text to `max` UTF-16 units without splitting a character. */
export const shortened = (text: string, max: number): string =>
  text.length <= max
    ? text
    : `${text
        .slice(0, max - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`;

/** One line without control and direction characters, which could hide or reorder text. */
export const oneLine = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
    .replaceAll(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]+/g, ' ')
    .replaceAll(/[\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g, '');
