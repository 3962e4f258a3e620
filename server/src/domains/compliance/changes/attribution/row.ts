/** One row: a line range, a file, or an entire commit. */
export interface AttributionRow {
  id: string;
  sha: string;
  path: string | null;
  from: number | null;
  to: number | null;
  agent: string;
  model: string | null;
  session: string | null;
  owner: string | null;
  source: string;
  confidence: string;
  carriedFrom: string | null;
  entry: string;
}
