import { z } from 'zod';

/** All error codes with their HTTP status (answers of the specification, section 8). */
export const errorStatus = {
  unauthenticated: 401,
  bad_signature: 401,
  forbidden: 403,
  reauthentication_required: 403,
  not_found: 404,
  validation_failed: 400,
  query_invalid: 400,
  query_too_complex: 400,
  conflict: 409,
  sole_owner: 409,
  invitation_expired: 410,
  organization_moved: 410,
  too_large: 413,
  unsupported_media_type: 415,
  unknown_host: 421,
  rate_limited: 429,
  upstream_failed: 502,
  unavailable: 503,
  internal: 500,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** The body of every error response. `message` and `cause` are human-readable. */
export const errorBody = z.object({
  code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  cause: z.string().optional(),
  requestId: z.string(),
  requiredPermission: z.string().optional(),
  /** The address of the installation that the organization moved to. */
  movedTo: z.string().optional(),
  details: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  /** The position of the error in a query, end exclusive, and the expected input. */
  query: z.object({ start: z.number(), end: z.number(), expected: z.array(z.string()) }).optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;
