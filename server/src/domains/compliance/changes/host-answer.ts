import type { Fact } from '@sightline/evidence/controls/facts.ts';
import { HostLimited, HostRefused } from '#providers/code-host.ts';

/** Why a part of a change is unknown. */
export type MissingReason =
  | 'permission'
  | 'deleted'
  | 'unreachable'
  | 'too_large'
  | 'unsupported'
  | 'not_requested'
  | 'unverifiable';

/** An answer of a host, or why there is none. */
export type HostAnswer<Value> = { value: Value; at: string } | { reason: MissingReason; at: string };

/** The source of a part, as stored in records. */
export interface PartSource {
  state: 'complete' | 'partial' | 'missing';
  fetchedAt: string;
  reason: MissingReason | null;
}

/**
 * Requests one part from a host, so that a refusal affects only this part. Throws HostLimited, because the entire
 * change is then retried later.
 */
export async function requestFromHost<Value>(read: (() => Promise<Value>) | undefined): Promise<HostAnswer<Value>> {
  const at = new Date().toISOString();
  if (!read) return { reason: 'unsupported', at };
  try {
    return { value: await read(), at };
  } catch (error) {
    if (error instanceof HostLimited) throw error;
    return { reason: missingReasonOf(error), at };
  }
}

const missingReasonOf = (error: unknown): MissingReason => {
  if (!(error instanceof HostRefused)) return 'unreachable';
  return reasonsByStatus[error.status] ?? 'deleted';
};

const reasonsByStatus: Readonly<Record<number, MissingReason>> = {
  401: 'permission',
  403: 'permission',
  413: 'too_large',
  // This server has no program for the request.
  501: 'not_requested',
};

/** The value of an answer; undefined if there is none. */
export const answerOf = <Value>(answer: HostAnswer<Value>): Value | undefined =>
  'value' in answer ? answer.value : undefined;

/** A part and its source. */
export interface SourcedPart<Value> {
  known: Fact<Value>;
  source: PartSource;
}

export const partOf = <Value>(
  from: HostAnswer<unknown>,
  known: Fact<Value>,
  otherwise: MissingReason = 'unsupported',
): SourcedPart<Value> => ({
  known,
  source: {
    state: known.state,
    fetchedAt: from.at,
    reason: known.state === 'complete' ? null : 'reason' in from ? from.reason : otherwise,
  },
});

export const complete = <Value>(value: Value): Fact<Value> => ({ state: 'complete', value });
export const partial = <Value>(value: Value): Fact<Value> => ({ state: 'partial', value });
export const missing: { readonly state: 'missing' } = { state: 'missing' };

/** A complete fact if the answer has a value, otherwise missing. */
export const factFrom = <From, Value>(
  from: HostAnswer<From>,
  read: (value: From) => Value | undefined | null,
): Fact<Value> => {
  const value = 'value' in from ? read(from.value) : undefined;
  return value === undefined || value === null ? missing : complete(value);
};

/** A part that follows from the kind of change, without a request. */
export const impliedPart = <Value>(value: Value, at: string): SourcedPart<Value> =>
  partOf({ value, at }, complete(value));

export const missingPart = <Value>(at: string, reason: MissingReason): SourcedPart<Value> =>
  partOf({ reason, at }, missing);
