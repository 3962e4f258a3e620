import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';

type Offset = NonNullable<NonNullable<FindingDetail['region']>['offset']>;

interface FileLocation {
  filePath: string;
  line: number | null;
  column?: number | null;
  offset?: Offset | null | undefined;
}

/** A place in a file as people write it: `src/query.ts:48`, `src/query.ts:48:7`, `src/query.ts, characters 120 to 133`. */
export function placeOf({ filePath, line, column, offset }: FileLocation): string {
  if (line !== null) return `${filePath}:${line}${column ? `:${column}` : ''}`;
  return offset ? `${filePath}, ${offsetText(offset)}` : filePath;
}

/** A region of a scanner that counts from 0 and names a length, by its first and last character or byte. */
export function offsetText({ unit, from, length }: Offset): string {
  if (length === null || length < 2) return `${unit === 'bytes' ? 'byte' : 'character'} ${from}`;
  return `${unit} ${from} to ${from + length - 1}`;
}
