/** What a thing or a text of an event is found by. */
export interface EventPart {
  /** The terms of its words. */
  words: readonly number[];
  /** The terms of its values by field. */
  values: readonly number[];
  /** Words and values that an asterisk may stand for, as `field`, line break, value; each with its term. */
  names: readonly string[];
  nameTerms: readonly number[];
  /** Whether it is the same object each time. */
  isKept: boolean;
}
