import { ApiError } from '@sightline/contract/core/client.ts';

/** Why a call failed, in the server's words where it gave any. */
export const reasonOf = (error: unknown, otherwise: string): string =>
  (error instanceof ApiError && error.refusal?.message) || otherwise;

// spec 8: these failures are found in the console under their codes. The message alone, no data.
const logAs = (code: 'UPDATE_ORG_ERROR' | 'INVITE_ERROR') => (error: unknown) =>
  console.error(code, error instanceof Error ? error.message : String(error));

/** An organization could not be made or changed. */
export const logUpdateFailure = logAs('UPDATE_ORG_ERROR');

/** Somebody could not be invited. */
export const logInviteFailure = logAs('INVITE_ERROR');
