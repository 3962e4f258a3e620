import { InvalidSegment } from './bytes.ts';
import { eventsPerBlock, LEAF_BYTES, numberOfCode } from './columns.ts';
import { namesOf } from './lookup.ts';
import type { SectionContent, Segment } from './segment.ts';
import { textAt } from './texts.ts';
import { postgresTimeOf } from './times.ts';
import { uuidAt } from './uuids.ts';

/** The columns of the table `event`, in the text format of PostgreSQL. */
export interface ArchivedRow {
  id: string;
  kind: string;
  as_of: string;
  received_at: string;
  source: string;
  /** In its stored form. */
  summary: string;
  /** Likewise. */
  detail: string;
  actor: string | null;
  repo: string | null;
  pr: string | null;
  /** As `\x` and hexadecimal digits. */
  leaf_hash: string;
  proof: string;
}
export type ArchivedColumn = keyof ArchivedRow;

type ColumnReader = (ordinal: number) => string | null;

/** The rows of events, in the given order, with these columns. */
export async function readRows<Column extends ArchivedColumn>(
  segment: Segment,
  ordinals: readonly number[],
  columns: readonly Column[],
): Promise<Pick<ArchivedRow, Column>[]> {
  if (ordinals.length === 0) return [];
  const readers = await Promise.all(
    columns.map(async (column) => [column, await openColumn[column](segment, ordinals)] as const),
  );
  return ordinals.map((ordinal) => {
    const row: Partial<Record<ArchivedColumn, string | null>> = {};
    for (const [column, read] of readers) row[column] = read(ordinal);
    return row as Pick<ArchivedRow, Column>;
  });
}

type OpenColumn = (segment: Segment, ordinals: readonly number[]) => Promise<ColumnReader>;

const openColumn: Record<ArchivedColumn, OpenColumn> = {
  id: async (segment, ordinals) => {
    const block = await blocksOf(segment, 'ids', ordinals);
    return (ordinal) => uuidAt(block(ordinal), ordinal % eventsPerBlock.ids);
  },
  as_of: timeColumn('times'),
  received_at: timeColumn('received'),
  kind: codeColumn('kind'),
  source: codeColumn('source'),
  actor: codeColumn('actor'),
  repo: codeColumn('repo'),
  pr: async (segment, ordinals) => {
    const block = await blocksOf(segment, 'columns', ordinals);
    return (ordinal) => {
      const code = block(ordinal).pr(ordinal % eventsPerBlock.columns);
      return code === 0 ? null : String(numberOfCode(code));
    };
  },
  summary: textColumn('summaries'),
  detail: textColumn('details'),
  leaf_hash: async (segment, ordinals) => {
    const block = await blocksOf(segment, 'leaves', ordinals);
    return (ordinal) => {
      const from = (ordinal % eventsPerBlock.leaves) * LEAF_BYTES;
      return `\\x${Buffer.from(block(ordinal).subarray(from, from + LEAF_BYTES)).toString('hex')}`;
    };
  },
  proof: async (segment, ordinals) => {
    const block = await blocksOf(segment, 'proofs', ordinals);
    const id = await openColumn.id(segment, ordinals);
    return (ordinal) => {
      const { codes, proofs } = block(ordinal);
      const code = codes[ordinal % eventsPerBlock.proofs] ?? 0;
      return code === 0 ? id(ordinal) : (proofs[code - 1] ?? null);
    };
  },
};

function timeColumn(section: 'times' | 'received'): OpenColumn {
  return async (segment, ordinals) => {
    const block = await blocksOf(segment, section, ordinals);
    return (ordinal) => postgresTimeOf(block(ordinal)[ordinal % eventsPerBlock[section]] ?? 0);
  };
}

function codeColumn(column: 'kind' | 'source' | 'actor' | 'repo'): OpenColumn {
  return async (segment, ordinals) => {
    const block = await blocksOf(segment, 'columns', ordinals);
    const names = await namesOf(segment, column);
    const isRequired = column === 'kind' || column === 'source';
    return (ordinal) => {
      const name = nameOf(names, block(ordinal)[column](ordinal % eventsPerBlock.columns));
      if (name === null && isRequired) throw new InvalidSegment('An event of the segment has no kind or no source.');
      return name;
    };
  };
}

/** The name with a code. */
export function nameOf(names: readonly string[], code: number): string | null {
  const name = names[code - 1];
  if (name === undefined && code > 0) throw new InvalidSegment('The segment does not contain a name of an event.');
  return name ?? null;
}

function textColumn(section: 'summaries' | 'details'): OpenColumn {
  return async (segment, ordinals) => {
    const block = await blocksOf(segment, section, ordinals);
    const firsts = segment.keysOf(section);
    return (ordinal) => textAt(block(ordinal), ordinal - (firsts[segment.blockOf(section, ordinal)] ?? 0));
  };
}

/** The blocks of events, read at once. */
async function blocksOf<Name extends Parameters<Segment['blockOf']>[0]>(
  segment: Segment,
  section: Name,
  ordinals: readonly number[],
): Promise<(ordinal: number) => SectionContent[Name]> {
  const blocks = await segment.blocks(
    section,
    ordinals.map((ordinal) => segment.blockOf(section, ordinal)),
  );
  return (ordinal) => {
    const block = blocks.get(segment.blockOf(section, ordinal));
    if (block === undefined) throw new InvalidSegment('The segment has no such event.');
    return block;
  };
}
