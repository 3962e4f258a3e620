import { ApiError } from '@sightline/contract/client.ts';

/** Why a call failed, in the server's words where it gave any. */
export const reasonOf = (error: unknown, otherwise: string): string =>
  (error instanceof ApiError && error.refusal?.message) || otherwise;

/** Whether the call needs a sign-in that is minutes old. */
export const isStale = (error: unknown): boolean =>
  error instanceof ApiError && error.refusal?.code === 'reauthentication_required';
