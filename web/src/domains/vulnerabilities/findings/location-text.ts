import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';

type Offset = NonNullable<NonNullable<FindingDetail['region']>['offset']>;

interface FileLocation {
  filePath: string;
  line: number | null;
  column?: number | null;
  offset?: Offset | null | undefined;
}

/** Formats a location: `src/query.ts:48`, `src/query.ts:48:7`, `src/query.ts, characters 120 to 133`. */
export function locationText({ filePath, line, column, offset }: FileLocation): string {
  if (line !== null) return `${filePath}:${line}${column ? `:${column}` : ''}`;
  return offset ? `${filePath}, ${offsetRangeText(offset)}` : filePath;
}

/** Formats a region with offset (from 0) and length by its first and last character or byte. */
export function offsetRangeText({ unit, from, length }: Offset): string {
  if (length === null || length < 2) return `${unit === 'bytes' ? 'byte' : 'character'} ${from}`;
  return `${unit} ${from} to ${from + length - 1}`;
}
