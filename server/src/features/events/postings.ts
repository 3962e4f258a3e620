import { plainArray } from '#database/arrays.ts';
import type { NewEvent } from './commands.ts';
import { termOfThing, termsOf } from './words.ts';

/**
 * The words of events that are written together, as columns of one row of `posting_pending`: as_of and id of each event, and for each word of each its term and the place of its event, from 1.
 */
export function pendingOf(events: readonly NewEvent[]): string[] {
  const terms: number[] = [];
  const places: number[] = [];
  events.forEach((event, index) => {
    const shown = event.summary.parameters.map((parameter) => parameter.display).join(' ');
    for (const term of [...termsOf(`${shown} ${event.words}`), ...toolTermsOf(event)]) {
      terms.push(term);
      places.push(index + 1);
    }
  });
  return [events.map(({ asOf }) => asOf), events.map(({ id }) => id), terms, places].map(plainArray);
}

/** So that what a tool took part in is found by the tool's id. */
function toolTermsOf({ summary, detail }: NewEvent): number[] {
  const ids = [...summary.parameters, ...detail.map(({ parameter }) => parameter)].flatMap(({ kind, ident }) =>
    kind === 'tool' && ident !== '' ? ident : [],
  );
  return [...new Set(ids)].map((id) => termOfThing('tool', id));
}

/** What to insert where `$1` is the organisation and what `pendingOf` makes are the parameters from `from` on. */
export const pendingColumns = (from: number) =>
  `$1::uuid, cardinality($${from}::timestamptz[]), $${from}, $${from + 1}::uuid[], $${from + 2}::bigint[], $${from + 3}::int[]`;

export const pendingInsert = 'insert into posting_pending (org_id, events, as_of, id, terms, places)';
