import { type ErrorBody, type ErrorCode, errorStatus } from '@sightline/contract/errors.ts';

/** A refusal meant for the caller: its code decides the HTTP status, its words are for people. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly extra: Pick<ErrorBody, 'cause' | 'details' | 'query' | 'requiredPermission'>;
  readonly retryAfter: number | undefined;
  constructor(code: ErrorCode, message: string, extra: Refusal['extra'] = {}, retryAfter?: number) {
    super(message);
    this.code = code;
    this.extra = extra;
    this.retryAfter = retryAfter;
  }
  get status(): number {
    return errorStatus[this.code];
  }
}

/** The same answer for what does not exist and for what belongs to somebody else. */
export const NotFound = (what = 'That') => new Refusal('not_found', `${what} was not found.`);
export const Unauthenticated = () => new Refusal('unauthenticated', 'Sign in to go on.');
export const Forbidden = (message: string, requiredPermission?: string) =>
  new Refusal('forbidden', message, requiredPermission === undefined ? {} : { requiredPermission });
export const Conflict = (message: string, code: ErrorCode = 'conflict') => new Refusal(code, message);
/** Whatever would change an archived organisation gets this. */
export const Archived = () =>
  new Refusal('conflict', 'This organization is archived: it can be read, but nothing in it can be changed.', {
    cause: 'An account owner can restore it within 30 days after it was archived.',
  });
export const Invalid = (field: string, message: string) =>
  new Refusal('validation_failed', `${field === '' ? 'The request' : field} ${message}.`, {
    details: [{ field, message }],
  });
/** 429; `seconds` until the next try is heard. */
export const tooManyTries = (seconds: number) =>
  new Refusal('rate_limited', 'Too many tries. For your safety this is paused; try again later.', {}, seconds);
/** 413 for an upload of more than `bytes`. */
export const TooLarge = (bytes: number) =>
  new Refusal(
    'too_large',
    `The file is larger than ${Math.round(bytes / 1024 / 1024)} MB, the most that is taken. Nothing of it was kept.`,
    {
      cause: 'Split it, for example by folder, and give each part a category of its own.',
    },
  );
export const UpstreamFailed = (message: string, cause?: string) =>
  new Refusal('upstream_failed', message, cause === undefined ? {} : { cause });
