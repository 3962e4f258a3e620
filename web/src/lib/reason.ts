import { ApiError } from '@sightline/contract/core/client.ts';

const UNREACHABLE = 'The server could not be reached. Check your connection.';

/** Why a call failed, in the words of the server if it gave a reason. */
export const reasonOf = (error: unknown, otherwise = UNREACHABLE): string =>
  (error instanceof ApiError && error.refusal?.message) || otherwise;

// spec 8: these failures are found in the console under their codes. The message alone, no data.
const logAs = (code: 'UPDATE_ORG_ERROR' | 'INVITE_ERROR') => (error: unknown) =>
  console.error(code, error instanceof Error ? error.message : String(error));

/** An organization could not be made or changed. */
export const logUpdateFailure = logAs('UPDATE_ORG_ERROR');

/** Somebody could not be invited. */
export const logInviteFailure = logAs('INVITE_ERROR');
