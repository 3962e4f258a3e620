import { z } from 'zod';
import { HostFailed, HostLimited, HostRefused } from './code-host.ts';

const longest = 500;

/**
 * Why reading from a code host failed, for people: what the host answered. Undefined for a failure of our own, whose text may
 * name tables and files and goes into the log only.
 */
export function hostFailureReason(error: unknown): string | undefined {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    const field = issue && issue.path.length > 0 ? ` (${issue.path.join('.')})` : '';
    return `The code host answered in a form that is not understood${field}`;
  }
  const isOfHost = error instanceof HostFailed || error instanceof HostLimited || error instanceof HostRefused;
  return isOfHost ? error.message.slice(0, longest) : undefined;
}
