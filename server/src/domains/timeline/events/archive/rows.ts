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

type ColumnReader = (ordinal: number, place: number) => string | null;

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
  return ordinals.map((ordinal, place) => {
    const row: Partial<Record<ArchivedColumn, string | null>> = {};
    for (const [column, read] of readers) row[column] = read(ordinal, place);
    return row as Pick<ArchivedRow, Column>;
  });
}

/** The times in microseconds and the IDs of events, in the given order. */
export async function readKeys(segment: Segment, ordinals: readonly number[]): Promise<{ asOf: number; id: string }[]> {
  if (ordinals.length === 0) return [];
  const [times, ids] = await Promise.all([blocksOf(segment, 'times', ordinals), blocksOf(segment, 'ids', ordinals)]);
  return ordinals.map((ordinal, place) => ({
    asOf: contentAt(times, place)[ordinal % eventsPerBlock.times] ?? 0,
    id: uuidAt(contentAt(ids, place), ordinal % eventsPerBlock.ids),
  }));
}

type OpenColumn = (segment: Segment, ordinals: readonly number[]) => Promise<ColumnReader>;

const openColumn: Record<ArchivedColumn, OpenColumn> = {
  id: async (segment, ordinals) => {
    const blocks = await blocksOf(segment, 'ids', ordinals);
    return (ordinal, place) => uuidAt(contentAt(blocks, place), ordinal % eventsPerBlock.ids);
  },
  as_of: timeColumn('times'),
  received_at: timeColumn('received'),
  kind: codeColumn('kind'),
  source: codeColumn('source'),
  actor: codeColumn('actor'),
  repo: codeColumn('repo'),
  pr: async (segment, ordinals) => {
    const blocks = await blocksOf(segment, 'columns', ordinals);
    return (ordinal, place) => {
      const code = contentAt(blocks, place).pr(ordinal % eventsPerBlock.columns);
      return code === 0 ? null : String(numberOfCode(code));
    };
  },
  summary: textColumn('summaries'),
  detail: textColumn('details'),
  leaf_hash: async (segment, ordinals) => {
    const blocks = await blocksOf(segment, 'leaves', ordinals);
    return (ordinal, place) => {
      const from = (ordinal % eventsPerBlock.leaves) * LEAF_BYTES;
      return `\\x${Buffer.from(contentAt(blocks, place).subarray(from, from + LEAF_BYTES)).toString('hex')}`;
    };
  },
  proof: async (segment, ordinals) => {
    const blocks = await blocksOf(segment, 'proofs', ordinals);
    const id = await openColumn.id(segment, ordinals);
    return (ordinal, place) => {
      const { codes, proofs } = contentAt(blocks, place);
      const code = codes[ordinal % eventsPerBlock.proofs] ?? 0;
      return code === 0 ? id(ordinal, place) : (proofs[code - 1] ?? null);
    };
  },
};

function timeColumn(section: 'times' | 'received'): OpenColumn {
  return async (segment, ordinals) => {
    const blocks = await blocksOf(segment, section, ordinals);
    return (ordinal, place) => postgresTimeOf(contentAt(blocks, place)[ordinal % eventsPerBlock[section]] ?? 0);
  };
}

function codeColumn(column: 'kind' | 'source' | 'actor' | 'repo'): OpenColumn {
  return async (segment, ordinals) => {
    const blocks = await blocksOf(segment, 'columns', ordinals);
    const names = await namesOf(segment, column);
    const isRequired = column === 'kind' || column === 'source';
    return (ordinal, place) => {
      const name = nameOf(names, contentAt(blocks, place)[column](ordinal % eventsPerBlock.columns));
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
    const blocks = await blocksOf(segment, section, ordinals);
    const firsts = segment.keysOf(section);
    return (ordinal, place) => textAt(contentAt(blocks, place), ordinal - (firsts[blocks.numbers[place] ?? 0] ?? 0));
  };
}

/** The block of each event, by its place among them. */
interface EventBlocks<Content> {
  numbers: readonly number[];
  contents: readonly (Content | undefined)[];
}

/** The blocks of events, read at once. */
async function blocksOf<Name extends Parameters<Segment['blockOf']>[0]>(
  segment: Segment,
  section: Name,
  ordinals: readonly number[],
): Promise<EventBlocks<SectionContent[Name]>> {
  const numbers = ordinals.map((ordinal) => segment.blockOf(section, ordinal));
  const blocks = await segment.blocks(section, new Set(numbers));
  return { numbers, contents: numbers.map((number) => blocks.get(number)) };
}

function contentAt<Content>({ contents }: EventBlocks<Content>, place: number): Content {
  const content = contents[place];
  if (content === undefined) throw new InvalidSegment('The segment has no such event.');
  return content;
}
