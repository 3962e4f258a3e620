import { Conflict, Refusal, UpstreamFailed } from '#core/errors.ts';
import { HostLimited, HostRefused } from '#providers/code-host.ts';

/** Converts an error of a code host into a Refusal; never 401, which would end the session of the caller. */
export function hostRefusal(error: unknown, field?: 'token'): unknown {
  if (error instanceof Refusal) return error;
  if (error instanceof HostLimited)
    return UpstreamFailed('The code host is rate limiting requests. Wait a minute and try again.');
  if (!(error instanceof HostRefused)) {
    return UpstreamFailed(
      'The code host returned an unexpected response. Check the URL and try again.',
      (error as Error).message,
    );
  }
  const message = messageOf(error);
  if (field === undefined) return Conflict(message);
  return new Refusal('validation_failed', message, { details: [{ field, message }] });
}

function messageOf({ status, message }: HostRefused): string {
  if (status === 401) return 'The code host rejects this token. Check that it is complete, valid, and from this host.';
  if (status === 404) return 'The code host did not find it. Check the URL.';
  return message.slice(0, 300);
}
