import type { AccessPartState } from '@sightline/contract/sources/host-access.ts';
import { HostRefused } from './code-host.ts';

/**
 * Reads a part of the access. Undefined if the host denied it: 401 or 403, or 404, with which hosts hide what a token
 * may not see. Throws every other error, so that a failed request is not mistaken for an empty list.
 */
export async function readPart<Found>(read: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof HostRefused && [401, 403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

/** The state of a part that `readPart` read. */
export const partState = (found: unknown): AccessPartState => (found === undefined ? 'forbidden' : 'read');
