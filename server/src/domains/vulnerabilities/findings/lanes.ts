import type { FindingCategory } from '@sightline/contract/core/finding-categories.ts';
import { type Severity, type SeverityCounts, severities } from '@sightline/contract/core/severities.ts';
import type { FindingFilter, FindingStatus } from '@sightline/contract/vulnerabilities/findings.ts';

/** A combination of severity, category and scanners; lists treat its findings alike. `key` is the column `lane`. */
export interface FindingLane {
  key: string;
  severity: Severity;
  category: FindingCategory;
  tools: readonly string[];
}

/**
 * The number of findings of a status in a lane; `lead` limits it to one repository, title or value of a facet.
 * `laneCount` is the number without conditions, if it was counted.
 */
export interface LaneCell {
  lane: FindingLane;
  status: FindingStatus;
  lead: string | null;
  count: number;
  laneCount?: number;
}

/** Parses a key that the database function `finding_lane` created. */
export function parseLane(key: string): FindingLane {
  const [severity, category, ...tools] = key.split('\n');
  return { key, severity: severities[Number(severity)] ?? 'info', category: category as FindingCategory, tools };
}

export type LaneFilter = Pick<FindingFilter, 'severity' | 'category' | 'dataSource' | 'status'>;

/** Returns a predicate for cells that match a filter; `but` is ignored, to count the choices of that filter. */
export const laneCellPredicate = (filter: LaneFilter, but?: keyof LaneFilter) => {
  const matches = (part: keyof LaneFilter, ...values: readonly string[]) => {
    const accepted: readonly string[] = part === 'status' ? statusesOf(filter) : filter[part];
    return part === but || accepted.length === 0 || values.some((value) => accepted.includes(value));
  };
  return ({ lane, status }: LaneCell): boolean =>
    matches('severity', lane.severity) &&
    matches('category', lane.category) &&
    matches('dataSource', ...lane.tools) &&
    matches('status', status);
};

const statusesOf = ({ status }: LaneFilter): readonly FindingStatus[] => (status.length === 0 ? ['open'] : status);

export const sumLaneCells = (cells: readonly LaneCell[]): number => cells.reduce((sum, { count }) => sum + count, 0);

export function countBySeverity(cells: readonly LaneCell[]): SeverityCounts {
  const counts: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { lane, count } of cells) counts[lane.severity] += count;
  return counts;
}
