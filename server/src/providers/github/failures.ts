import { RequestError } from 'octokit';
import { HostFailed, HostLimited, HostRefused } from '#providers/code-host.ts';

/** Longer waits than this are not sat out inside a call: the caller puts the work off. */
export const longestWait = 5;

// 409: an empty repository; 422: a sha nobody knows.
const refusing = [401, 403, 404, 409, 410, 422, 451];

/**
 * What a failed call to GitHub means. The error of Octokit itself goes no further: it carries the request, and with
 * it what was sent.
 */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof RequestError)) return error;
  const { status, response, message } = error;
  if (status === 403 || status === 429) {
    const until = limitedUntil(status, message, response?.headers ?? {});
    if (until) return new HostLimited(until);
  }
  // An address that is not called says so itself; what the network says may name any.
  if (!response)
    return new HostFailed(message.startsWith('GitHub redirected to ') ? message : 'GitHub could not be reached');
  // The message of an error of the host's own may say anything, such as where its files lie.
  return refusing.includes(status)
    ? new HostRefused(status, `GitHub answered ${status}: ${message}`)
    : new HostFailed(`GitHub answered ${status}`);
}

type Headers = Readonly<Record<string, string | number | undefined>>;

// In the order GitHub's own advice gives: retry-after, then the reset, then a minute.
function limitedUntil(status: number, message: string, headers: Headers): Date | undefined {
  const after = Number(headers['retry-after']);
  if (after > 0) return new Date(Date.now() + after * 1000);
  const reset = Number(headers['x-ratelimit-reset']);
  if (String(headers['x-ratelimit-remaining']) === '0' && reset > 0) return new Date(reset * 1000);
  return status === 429 || /\b(secondary )?rate limit\b/i.test(message) ? new Date(Date.now() + 60_000) : undefined;
}
