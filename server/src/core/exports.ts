import { Readable } from 'node:stream';
import type { Tx } from '#database/database.ts';
import type { Actor } from './actor.ts';
import { type AuditEntry, recordAuditEntry } from './audit.ts';
import { byteOrderMark, csvRow } from './csv.ts';
import type { FileAnswer } from './route.ts';
import type { Services } from './services.ts';

const mediaTypes = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  sarif: 'application/sarif+json',
} as const;
type Format = keyof typeof mediaTypes;

interface Export {
  /** The first part of the file name, such as `audit-log`. */
  of: string;
  format: Format;
  entry: AuditEntry;
}

/**
 * Records an export in the transaction that reads its data. Returns a function that creates the file from its text. The
 * text is streamed in batches, of which at most one is in memory.
 */
export async function recordExport(
  tx: Tx,
  { people, realtime }: Services,
  actor: Actor,
  { of, format, entry }: Export,
): Promise<(text: AsyncIterable<string>, total: number | undefined) => FileAnswer> {
  const { orgId } = actor;
  await recordAuditEntry(tx, { people, orgId, actor, entry });
  const { slug } = await tx.db
    .selectFrom('organization')
    .select('slug')
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
  tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgAudit', {}));
  return (text, total) => ({
    file: Readable.from(text, { objectMode: false }),
    type: mediaTypes[format],
    name: `${of}-${slug}-${new Date().toISOString().slice(0, 10)}.${format}`,
    total,
  });
}

/** The columns of a spreadsheet, by their header. */
export type ExportColumns<Line> = Readonly<Record<string, (line: Line) => string>>;

/** The text of a file in batches. Each item is one line in every format. */
export async function* exportTextOf<Line>(
  format: Exclude<Format, 'sarif'>,
  columns: ExportColumns<Line>,
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
