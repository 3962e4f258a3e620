import { ApiError } from '@sightline/contract/core/client.ts';

/** Returns the cause that the server adds to an error, for the details. */
export const errorCauseOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.refusal?.cause : undefined;
