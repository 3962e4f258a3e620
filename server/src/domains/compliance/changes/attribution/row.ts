/** One row: a stretch of lines, a file, or a commit as a whole. */
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
  entry: string;
}
