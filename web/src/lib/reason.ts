import { ApiError } from '@sightline/contract/core/client.ts';

/** Why a request failed, in the server's words if available. */
export const errorMessageOf = (error: unknown, otherwise: string): string =>
  (error instanceof ApiError && error.refusal?.message) || otherwise;

// Spec 8: the console contains these failures with their codes; the message only, no data.
const logAs = (code: 'UPDATE_ORG_ERROR' | 'INVITE_ERROR') => (error: unknown) =>
  console.error(code, error instanceof Error ? error.message : String(error));

/** Logs that an organization could not be created or changed. */
export const logUpdateFailure = logAs('UPDATE_ORG_ERROR');

/** Logs that a person could not be invited. */
export const logInviteFailure = logAs('INVITE_ERROR');
