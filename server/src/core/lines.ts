import { byteOrderMark, csvRow } from './csv.ts';

export const mediaTypes = { csv: 'text/csv', json: 'application/json', ndjson: 'application/x-ndjson' } as const;

/** What a file for spreadsheets has beside each other, by the head of the column. */
export type Columns<Line> = Readonly<Record<string, (line: Line) => string>>;

/** The text of a file, batch by batch; each thing is one line in every format. */
export async function* linesOf<Line>(
  format: keyof typeof mediaTypes,
  columns: Columns<Line>,
  batches: AsyncIterable<readonly Line[]>,
): AsyncGenerator<string> {
  if (format === 'csv') yield `${byteOrderMark}${csvRow(Object.keys(columns))}`;
  if (format === 'json') yield '[';
  let first = true;
  for await (const lines of batches) {
    if (format === 'csv') yield lines.map((line) => csvRow(Object.values(columns).map((cell) => cell(line)))).join('');
    else if (format === 'ndjson') yield lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    else yield `${first ? '\n' : ',\n'}${lines.map((line) => JSON.stringify(line)).join(',\n')}`;
    first = false;
  }
  if (format === 'json') yield first ? ']\n' : '\n]\n';
}
