import { ApiError } from '@sightline/contract/client.ts';

/** What the server adds to the reason, for whoever wants to know more. */
export const causeOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.refusal?.cause : undefined;

/** spec 8: a failed change of an organization is found in the console under this code. The message alone, no data. */
export const logFailure = (error: unknown): void =>
  console.error('UPDATE_ORG_ERROR', error instanceof Error ? error.message : String(error));
