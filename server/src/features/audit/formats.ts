import type { AuditEntryDetail, AuditFormat } from '@sightline/contract/audit.ts';
import { byteOrderMark, csvRow } from '#core/csv.ts';

export type Line = AuditEntryDetail;

export const mediaTypes: Record<AuditFormat, string> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
};

/** Entries as the text of a file, batch by batch; one line each in every format. */
export async function* linesAs(format: AuditFormat, batches: AsyncIterable<Line[]>): AsyncGenerator<string> {
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

const columns: Record<string, (line: Line) => string> = {
  time: ({ at }) => at,
  who: ({ actor }) => actor.name,
  'who (email)': ({ actor }) => actor.email ?? '',
  'who (kind)': ({ actor }) => actor.kind,
  'who (id)': ({ actor }) => actor.id ?? '',
  what: ({ says }) => says.map(({ text }) => text).join(' '),
  action: ({ action }) => action,
  subject: ({ subject }) => subject.name ?? '',
  'subject (kind)': ({ subject }) => subject.kind,
  'subject (id)': ({ subject }) => subject.id,
  before: ({ before }) => jsonOf(before),
  after: ({ after }) => jsonOf(after),
  more: ({ more }) => (Object.keys(more).length === 0 ? '' : JSON.stringify(more)),
  address: ({ address }) => address ?? '',
  browser: ({ browser }) => browser ?? '',
  request: ({ requestId }) => requestId ?? '',
  id: ({ id }) => id,
};

const jsonOf = (value: object | null) => (value === null ? '' : JSON.stringify(value));
