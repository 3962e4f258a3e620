import type { Fact } from '@sightline/evidence/controls/known.ts';
import { HostLimited, HostRefused } from '#providers/code-host.ts';

/** Why a part of a change is not known. */
export type MissingReason = 'permission' | 'deleted' | 'unreachable' | 'unsupported' | 'not_requested';

/** An answer of a host, or why there is none. */
export type HostAnswer<Value> = { value: Value; at: string } | { reason: MissingReason; at: string };

/** Where a part comes from, as records keep it. */
export interface PartSource {
  state: 'complete' | 'partial' | 'missing';
  fetchedAt: string;
  reason: MissingReason | null;
}

/**
 * Asks a host for one part, so that a refusal costs only that. Throws HostLimited: then nothing is known yet, and the whole is
 * asked again later.
 */
export async function tell<Value>(read: (() => Promise<Value>) | undefined): Promise<HostAnswer<Value>> {
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
  return error.status === 401 || error.status === 403 ? 'permission' : 'deleted';
};

/** What was told; undefined where nothing was. */
export const answerOf = <Value>(told: HostAnswer<Value>): Value | undefined =>
  'value' in told ? told.value : undefined;

/** A part and its source. `from`: the answer it was made of. */
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

/** Known whole where it was told. */
export const knownOf = <From, Value>(
  from: HostAnswer<From>,
  read: (value: From) => Value | undefined | null,
): Fact<Value> => {
  const value = 'value' in from ? read(from.value) : undefined;
  return value === undefined || value === null ? missing : complete(value);
};

/** A part that is so by what the change is, without anybody asked. */
export const given = <Value>(value: Value, at: string): SourcedPart<Value> => partOf({ value, at }, complete(value));

export const untold = <Value>(at: string, reason: MissingReason): SourcedPart<Value> => partOf({ reason, at }, missing);
