/** The search terms of a parameter or text of an event. */
export interface EventPart {
  /** The terms of its words. */
  words: readonly number[];
  /** The terms of its values by field. */
  values: readonly number[];
  /** Words and values that an asterisk can match, as field, line break and value; each with its term. */
  names: readonly string[];
  nameTerms: readonly number[];
  /** Whether the part is cached, and therefore the same object each time. */
  isKept: boolean;
}
