/** An event as its row in the table `event`, with its terms. */
export interface ArchivedEvent {
  /** In lower case. */
  id: string;
  /** Microseconds since 1970. */
  asOf: number;
  /** Likewise. */
  receivedAt: number;
  kind: string;
  source: string;
  actor: string | null;
  repo: string | null;
  pr: number | null;
  /** In its stored form. */
  summary: string;
  /** Likewise. */
  detail: string;
  /** SHA-256 of the ledger leaf. */
  leafHash: Uint8Array;
  /** The ledger entry that proves the event, which may have the ID of the event. */
  proof: string;
  /** The terms that it is indexed by. */
  terms: readonly number[];
}

/** The event was received more than this after it occurred if it is late. */
export const LATE_MICROS = 300_000_000;

/** What a list of the directory of values contains: the events with a value in a column, or with a property. */
const spaces = { kind: 0, source: 1, actor: 2, repo: 3, pr: 4, flag: 5 } as const;
type ValueSpace = keyof typeof spaces;
const SPACE_SIZE = 2 ** 34;
const LEAST_NUMBER = -(2 ** 31);

/** The key of a value: the position of a name, a number of a pull request, or a flag. */
export const valueKey = (space: ValueSpace, value: number): number => spaces[space] * SPACE_SIZE + value;
export const numberKey = (pr: number): number => valueKey('pr', pr - LEAST_NUMBER);

/** Events that are late, or have a value in a column. */
export const flagKeys = {
  late: valueKey('flag', 0),
  actor: valueKey('flag', 1),
  repo: valueKey('flag', 2),
  pr: valueKey('flag', 3),
} as const;
