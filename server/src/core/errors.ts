import { type ErrorBody, type ErrorCode, errorStatus } from '@sightline/contract/core/errors.ts';

/** The state of a limit. */
export interface LimitState {
  name: string;
  most: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

/** A refusal for the caller: its code determines the HTTP status, its message is for people. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly extra: Pick<ErrorBody, 'cause' | 'details' | 'query' | 'requiredPermission' | 'movedTo'>;
  readonly retryAfter: number | undefined;
  /** The limit that was reached, if any. */
  readonly limit: LimitState | undefined;
  constructor(
    code: ErrorCode,
    message: string,
    extra: Refusal['extra'] = {},
    { retryAfter, limit }: { retryAfter?: number | undefined; limit?: LimitState | undefined } = {},
  ) {
    super(message);
    this.code = code;
    this.extra = extra;
    this.retryAfter = retryAfter;
    this.limit = limit;
  }
  get status(): number {
    return errorStatus[this.code];
  }
}

/**
 * The same 404 for an object that does not exist and one of another organization. `what` is the noun, such as `Policy`.
 */
export const NotFound = (what?: string) =>
  new Refusal('not_found', what === undefined ? 'Not found.' : `${what} not found.`);
export const Unauthenticated = () => new Refusal('unauthenticated', 'Sign in to continue.');
export const Forbidden = (message: string, requiredPermission?: string) =>
  new Refusal('forbidden', message, requiredPermission === undefined ? {} : { requiredPermission });
export const Conflict = (message: string, code: ErrorCode = 'conflict') => new Refusal(code, message);
/** 409 for each change to an archived organization. */
export const Archived = () =>
  new Refusal('conflict', 'This organization is archived and read-only.', {
    cause: 'An Account Owner can restore it within 30 days after it was archived.',
  });
/** 410 for each request about an organization that moved to the installation at `address`. */
export const OrganizationMoved = (address: string) =>
  new Refusal('organization_moved', `This organization moved to ${address}.`, {
    movedTo: address,
    cause: 'Send requests to the new address, and sign in there. Nothing was stored here.',
  });
export const Invalid = (field: string, message: string) =>
  new Refusal('validation_failed', `${field === '' ? 'The request' : field} ${message}.`, {
    details: [{ field, message }],
  });
/** 429; `seconds` until the next attempt is allowed. */
export const TooManyAttempts = (seconds: number) =>
  new Refusal('rate_limited', 'Too many attempts. Try again later.', {}, { retryAfter: seconds });
/** 429 for a limit in core/limits.ts. */
export const RateLimited = ({ per, ...limit }: LimitState & { per: string }) => {
  const subject = per === 'organization' ? 'this organization' : per === 'account' ? 'you' : 'this network address';
  return new Refusal(
    'rate_limited',
    `Too many requests: the limit "${limit.name}" allows ${subject} ${limit.most} ${windowText(limit.windowSeconds)}. Try again in ${waitText(limit.resetSeconds)}.`,
    {},
    { retryAfter: limit.resetSeconds, limit },
  );
};

/** 429 while the maximum number of operations is running. */
export const TooManyRunning = (what: string, running: number) =>
  new Refusal(
    'rate_limited',
    `${running} ${what} of this organization are running, which is the limit. Try again after one has finished.`,
    {},
    { retryAfter: 5 },
  );

const windowText = (seconds: number) =>
  seconds === 60 ? 'a minute' : seconds === 3600 ? 'an hour' : `in ${seconds} seconds`;
const waitText = (seconds: number) => (seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`);
/** 413 for an upload of more than `bytes`. */
export const TooLarge = (bytes: number) =>
  new Refusal(
    'too_large',
    `The file is larger than the limit of ${Math.round(bytes / 1024 / 1024)} MB. Nothing was imported.`,
    {
      cause: 'Split it, for example by folder, and give each part its own category.',
    },
  );
export const UpstreamFailed = (message: string, cause?: string) =>
  new Refusal('upstream_failed', message, cause === undefined ? {} : { cause });
