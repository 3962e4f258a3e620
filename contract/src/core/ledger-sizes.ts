import { z } from 'zod';

/** A ledger size in a request, preceded by the epoch if that is not the current one: `4711`, `1.4711`. */
export const ledgerSize = z.string().regex(/^(?:[1-9]\d{0,5}\.)?\d{1,15}$/, {
  error: 'must be a size of the ledger, such as 4711, or 1.4711 with its epoch',
});

/** The filter of a list that selects its rows as the ledger recorded them at a size; default: the current rows. */
export const atLedgerSize = { ledgerSize: ledgerSize.optional() };

/** The evidence of a row, only in a list at a ledger size. */
export const recordedRow = z.object({
  /** The newest ledger entry that the row is based on; null: the state at the start of the history, without an entry. */
  entry: z.object({ id: z.string(), epoch: z.number().int(), index: z.number().int() }).nullable(),
  /** Fields of the row whose value at that size was not recorded. They are null or empty. */
  missing: z.array(z.string()),
});
export type RecordedRow = z.infer<typeof recordedRow>;
