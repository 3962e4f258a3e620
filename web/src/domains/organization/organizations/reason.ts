import { ApiError } from '@sightline/contract/core/client.ts';

/** What the server adds to the reason, for whoever wants to know more. */
export const causeOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.refusal?.cause : undefined;
