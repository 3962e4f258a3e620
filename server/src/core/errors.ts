import { type ErrorBody, type ErrorCode, errorStatus } from '@sightline/contract/core/errors.ts';

/** How much of a limit is left. */
export interface LimitState {
  name: string;
  most: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

/** A refusal meant for the caller: its code decides the HTTP status, its words are for people. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly extra: Pick<ErrorBody, 'cause' | 'details' | 'query' | 'requiredPermission'>;
  readonly retryAfter: number | undefined;
  /** The limit that was reached, where one was. */
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

/** The same answer for an item that does not exist and for one that belongs to another organization. `what`: the noun, such as `Policy`. */
export const NotFound = (what?: string) =>
  new Refusal('not_found', what === undefined ? 'Not found.' : `${what} not found.`);
export const Unauthenticated = () => new Refusal('unauthenticated', 'Sign in to continue.');
export const Forbidden = (message: string, requiredPermission?: string) =>
  new Refusal('forbidden', message, requiredPermission === undefined ? {} : { requiredPermission });
export const Conflict = (message: string, code: ErrorCode = 'conflict') => new Refusal(code, message);
/** Whatever would change an archived organization gets this. */
export const Archived = () =>
  new Refusal('conflict', 'This organization is archived and read-only.', {
    cause: 'An Account Owner can restore it within 30 days after it was archived.',
  });
export const Invalid = (field: string, message: string) =>
  new Refusal('validation_failed', `${field === '' ? 'The request' : field} ${message}.`, {
    details: [{ field, message }],
  });
/** 429; `seconds` until the next try is heard. */
export const tooManyTries = (seconds: number) =>
  new Refusal('rate_limited', 'Too many attempts. Try again later.', {}, { retryAfter: seconds });
/** 429 for a limit of core/limits.ts. */
export const RateLimited = ({ per, ...limit }: LimitState & { per: string }) => {
  const whose = per === 'organization' ? 'this organization' : per === 'account' ? 'you' : 'this network address';
  return new Refusal(
    'rate_limited',
    `Too many requests: the limit "${limit.name}" allows ${whose} ${limit.most} ${windowText(limit.windowSeconds)}. Try again in ${waitText(limit.resetSeconds)}.`,
    {},
    { retryAfter: limit.resetSeconds, limit },
  );
};

/** 429 while as much of something runs as may. */
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
