import type { TrackerCheck } from '@sightline/contract/sources/trackers.ts';
import { Refusal } from '#core/errors.ts';
import { HostFailed, HostLimited, HostRefused } from '#providers/code-host.ts';

export type TrackerProblem = NonNullable<TrackerCheck['problem']>;

/** The problem of a failed request; undefined for an error that no tracker caused. */
export function maybeProblem(error: unknown): TrackerProblem | undefined {
  if (error instanceof HostLimited) {
    return {
      code: 'rate_limited',
      field: null,
      message: `The tracker limits requests until ${error.until.toISOString().slice(11, 16)} UTC. Nothing is lost: reading continues then.`,
    };
  }
  if (error instanceof HostFailed) {
    return { code: 'unreachable', field: null, message: `${error.message} It is tried again every five minutes.` };
  }
  if (!(error instanceof HostRefused)) return undefined;
  const { status, message } = error;
  if (status === 401) {
    return {
      code: 'bad_token',
      field: 'token',
      message: 'The tracker rejects this token. It may be revoked or expired. Create a new one and reconnect.',
    };
  }
  if (status === 403) {
    return {
      code: 'no_permission',
      field: 'token',
      message: 'The account of the token lacks a permission. See the requirements.',
    };
  }
  if (status === 421) return { code: 'refused_host', field: 'baseURL', message };
  return { code: 'wrong_host', field: 'baseURL', message: `This is not the address of the tracker: ${message}` };
}

/** The error as a refusal that names the field; never 401, which would end the caller's own session. */
export function trackerRefusalOf(error: unknown): unknown {
  const problem = maybeProblem(error);
  if (!problem) return error;
  const { field, message, code } = problem;
  if (field === null) return new Refusal('upstream_failed', message, { cause: code });
  return new Refusal('validation_failed', message, { details: [{ field, message }] });
}
