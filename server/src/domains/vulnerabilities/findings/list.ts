import type { FindingsQuery } from '@sightline/contract/vulnerabilities/findings.ts';
import type { LaneCells } from './cells.ts';
import type { FindingScope } from './scope.ts';

/** A filtered list of findings with its order. */
export interface FindingList {
  scope: FindingScope;
  cells: LaneCells;
  sort: FindingsQuery['sort'];
}

/** The fields of a finding that determine its position in a list. */
export interface FindingSortFields {
  id: string;
  severity: number;
  title: string;
  titleId: string;
  /** A timestamptz in the text format of PostgreSQL. */
  at: string;
}
