import { Conflict, Refusal, UpstreamFailed } from '#core/errors.ts';
import { HostLimited, HostRefused } from '#providers/code-host.ts';

/** What a host that was looked at said, as a refusal of ours; never 401, which would end the caller's own session. */
export function refusalOf(error: unknown, field?: 'token'): unknown {
  if (error instanceof Refusal) return error;
  if (error instanceof HostLimited)
    return UpstreamFailed('The host allows no more requests just now. Wait a minute and try again.');
  if (!(error instanceof HostRefused)) {
    return UpstreamFailed(
      'The host did not answer as expected. Look whether the address is right, and try again.',
      (error as Error).message,
    );
  }
  const message = worded(error);
  if (field === undefined) return Conflict(message);
  return new Refusal('validation_failed', message, { details: [{ field, message }] });
}

function worded({ status, message }: HostRefused): string {
  if (status === 401)
    return 'The host does not take this token. Look whether it is whole, still valid, and made there.';
  if (status === 404) return 'The host knows no such thing. Look whether the address is right.';
  return message.slice(0, 300);
}
