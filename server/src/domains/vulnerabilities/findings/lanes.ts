import type { Category } from '@sightline/contract/core/finding-categories.ts';
import { type Severity, type SeverityCounts, severities } from '@sightline/contract/core/severities.ts';
import type { FindingFilter, FindingStatus } from '@sightline/contract/vulnerabilities/findings.ts';

/** Findings that lists treat alike: of one severity, category and set of scanners. `key` is the column `lane`. */
export interface Lane {
  key: string;
  severity: Severity;
  category: Category;
  tools: readonly string[];
}

/** How many findings of a status are in a lane; `lead` narrows it to one repository or one title. */
export interface Cell {
  lane: Lane;
  status: FindingStatus;
  lead: string | null;
  count: number;
}

/** Undoes what the function `finding_lane` of the database puts together. */
export function laneOf(key: string): Lane {
  const [severity, category, ...tools] = key.split('\n');
  return { key, severity: severities[Number(severity)] ?? 'info', category: category as Category, tools };
}

export type Narrowing = Pick<FindingFilter, 'severity' | 'category' | 'dataSource' | 'status'>;

/** Whether a filter leaves a cell; `but` is the part that is not looked at, as where its choices are counted. */
export const leaves = (filter: Narrowing, but?: keyof Narrowing) => {
  const isLeft = (part: keyof Narrowing, ...values: readonly string[]) => {
    const wanted: readonly string[] = part === 'status' ? statusesOf(filter) : filter[part];
    return part === but || wanted.length === 0 || values.some((value) => wanted.includes(value));
  };
  return ({ lane, status }: Cell): boolean =>
    isLeft('severity', lane.severity) &&
    isLeft('category', lane.category) &&
    isLeft('dataSource', ...lane.tools) &&
    isLeft('status', status);
};

const statusesOf = ({ status }: Narrowing): readonly FindingStatus[] => (status.length === 0 ? ['open'] : status);

export const sumOf = (cells: readonly Cell[]): number => cells.reduce((sum, { count }) => sum + count, 0);

export function countBySeverity(cells: readonly Cell[]): SeverityCounts {
  const counts: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { lane, count } of cells) counts[lane.severity] += count;
  return counts;
}
