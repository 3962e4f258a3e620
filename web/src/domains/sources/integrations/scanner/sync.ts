import type { ScannerSettings } from '@sightline/contract/sources/integrations.ts';

type Sync = ScannerSettings['sync'];

export const isSyncing = ({ state }: Sync): boolean => state === 'queued' || state === 'running';

const number = new Intl.NumberFormat('en-GB');
const counted = (count: number, one: string, many: string) => `${number.format(count)} ${count === 1 ? one : many}`;

/** Describes the progress: 'Starting', 'Listing projects', '3 of 12 projects, 1,240 results'. */
export function syncProgressText({ state, projects: { done, total }, results }: Sync): string {
  if (state === 'queued') return 'Starting';
  if (total === null) return 'Listing projects';
  return `${number.format(done)} of ${counted(total, 'project', 'projects')}, ${counted(results, 'result', 'results')}`;
}

/** Describes the last import, which reads only scans newer than the previous import. */
export const syncResultText = ({ projects, results }: Sync): string =>
  `Checked ${counted(projects.done, 'project', 'projects')}, imported ${counted(results, 'new result', 'new results')}`;
