import { z } from 'zod';
import { HostFailed, HostLimited, HostRefused } from './code-host.ts';

const MAX_LENGTH = 500;

/**
 * The reason of a failed request to a code host for users. Undefined for internal errors, whose messages may contain
 * tables and files and are only logged.
 */
export function hostFailureReason(error: unknown): string | undefined {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    const field = issue && issue.path.length > 0 ? ` (${issue.path.join('.')})` : '';
    return `The code host answered in a form that is not understood${field}`;
  }
  const isOfHost = error instanceof HostFailed || error instanceof HostLimited || error instanceof HostRefused;
  return isOfHost ? error.message.slice(0, MAX_LENGTH) : undefined;
}
