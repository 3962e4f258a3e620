import type { SourceId } from './sources.ts';

/** The independently counted and the actual number of rows of a source. */
export interface Completeness {
  readonly source: SourceId;
  /** Whether the code host or scanner gives a count. Otherwise missing rows cannot be detected. */
  readonly isIndependent: boolean;
  /** Null: no count is available. */
  readonly expected: number | null;
  readonly found: number;
}

export const independentCount = (
  source: SourceId,
  { expected, found }: Pick<Completeness, 'expected' | 'found'>,
): Completeness => ({ source, isIndependent: true, expected, found });

export const withoutIndependentCount = (source: SourceId, found: number): Completeness => ({
  source,
  isIndependent: false,
  expected: null,
  found,
});

/** Whether no row is known to be missing. An independent count that is not available proves nothing. */
export const isComplete = ({
  isIndependent,
  expected,
  found,
}: Pick<Completeness, 'isIndependent' | 'expected' | 'found'>): boolean =>
  !isIndependent || (expected !== null && found >= expected);

/** The expected number in words: a number, `unknown` or `not counted independently`. */
export const expectedText = ({ isIndependent, expected }: Pick<Completeness, 'isIndependent' | 'expected'>): string =>
  isIndependent ? (expected === null ? 'unknown' : String(expected)) : 'not counted independently';
