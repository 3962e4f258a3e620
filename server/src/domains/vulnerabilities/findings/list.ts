import type { FindingsQuery } from '@sightline/contract/vulnerabilities/findings.ts';
import type { Cells } from './cells.ts';
import type { FindingScope } from './scope.ts';

/** A list in an order: everything the filters leave. */
export interface List {
  scope: FindingScope;
  cells: Cells;
  sort: FindingsQuery['sort'];
}

/** A finding as the orders see it. */
export interface FindingSortFields {
  id: string;
  severity: number;
  title: string;
  titleId: string;
  /** A timestamptz as PostgreSQL writes it. */
  at: string;
}
