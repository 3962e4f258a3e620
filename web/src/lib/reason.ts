import { ApiError } from '@sightline/contract/client.ts';

/** Why a call failed, in the server's words where it gave any. */
export const reasonOf = (error: unknown, otherwise: string): string =>
  (error instanceof ApiError && error.refusal?.message) || otherwise;

/** spec 8: a failed change of an organization is found in the console under this code. The message alone, no data. */
export const logUpdateFailure = (error: unknown): void =>
  console.error('UPDATE_ORG_ERROR', error instanceof Error ? error.message : String(error));

/** Whether the call needs a sign-in that is minutes old. */
export const isStale = (error: unknown): boolean =>
  error instanceof ApiError && error.refusal?.code === 'reauthentication_required';
