import { ApiError } from '@sightline/contract/client.ts';

/** Why a call failed, in the server's words where it gave any. */
export const reasonOf = (error: unknown, otherwise: string): string =>
  (error instanceof ApiError && error.refusal?.message) || otherwise;
