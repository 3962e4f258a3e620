import { createHash } from 'node:crypto';
import type { PartResult, ProjectScan, ScannerSession, ScanPart } from './scanner-connector.ts';

interface Snapshot {
  branch: string | null;
  commit: string | null;
  /** When the scanner last scanned. People may change findings later. */
  at: Date;
  parts: readonly ScanPart[];
  results: readonly PartResult[];
}

/**
 * Scans of a scanner that keeps no scans but the current findings of each project: a scan is identified by a digest of its
 * results, so that an unchanged state is not imported again. `read` reads a project completely or throws.
 */
export function createSnapshots(
  read: (projectId: string) => Promise<Snapshot | undefined>,
): Pick<ScannerSession, 'scans' | 'results'> {
  // The snapshot that was read last. It is imported before the next project is read.
  let latest: { id: string; results: readonly PartResult[] } = { id: '', results: [] };
  return {
    async *scans({ projectId }) {
      const snapshot = await read(projectId);
      if (!snapshot) return;
      latest = { id: digestOf(snapshot.results), results: snapshot.results };
      yield scanOf(latest.id, snapshot);
    },
    async *results(_project, { id }) {
      const { results } = latest;
      if (latest.id !== id) throw new Error('Another project was read in between');
      for (let from = 0; from < results.length; from += PAGE_SIZE) yield results.slice(from, from + PAGE_SIZE);
    },
  };
}

const PAGE_SIZE = 1000;

const scanOf = (id: string, { branch, commit, at, parts }: Snapshot): ProjectScan => ({
  id,
  createdAt: at,
  branch,
  commit,
  repoUrl: null,
  complete: true,
  incomplete: [],
  parts: { always: parts, maybe: [] },
});

function digestOf(results: readonly PartResult[]): string {
  const hash = createHash('sha256');
  for (const text of results.map((one) => JSON.stringify(one)).toSorted()) hash.update(text).update('\n');
  return `sha256:${hash.digest('hex')}`;
}
