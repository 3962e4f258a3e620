import type { Tx } from '#database/database.ts';
import { type RuleText, type StagedResult, storableJson } from './storable-values.ts';

/** The staging area of a scan. */
interface Staging {
  readonly orgId: string;
  readonly id: string;
  /** Where results are compared with the stored ones; undefined to stage all of them with their fields. */
  readonly known: KnownAnalysis | undefined;
}

/**
 * Rows of scan_result as a JSON array. In bytes, because strings of a batch survive several collections, which copy them
 * each time.
 */
export interface StagedRows {
  results: Omit<StagedResult, 'json'>[];
  bytes: Buffer;
  /** The end of each row in `bytes`; a bracket or comma precedes it. */
  ends: number[];
}

/** Creates an empty batch in the memory of an earlier one, if it is stored already. */
export const createStagedRows = (bytes: Buffer = Buffer.allocUnsafe(64 * 1024)): StagedRows => ({
  results: [],
  bytes,
  ends: [],
});

export function appendStagedRow(rows: StagedRows, { json, ...result }: StagedResult): void {
  const start = rows.ends.at(-1) ?? 0;
  // UTF-8 needs at most three bytes for a code unit; one more for the bracket or comma, and one for the end.
  const needed = start + 3 * json.length + 2;
  if (needed > rows.bytes.length) {
    const larger = Buffer.allocUnsafe(2 * needed);
    rows.bytes.copy(larger, 0, 0, start);
    rows.bytes = larger;
  }
  rows.bytes.write(start === 0 ? '[' : ',', start, 'latin1');
  rows.ends.push(start + 1 + rows.bytes.write(json, start + 1));
  rows.results.push(result);
}

/** An analysis with earlier results. */
export interface KnownAnalysis {
  repositoryId: string;
  key: string;
}

/** Stages results of a scan and the texts of their rules. Of results that equal the stored ones, only the key is staged. */
export async function stageResults(tx: Tx, scan: Staging, rows: StagedRows, texts: readonly RuleText[]): Promise<void> {
  const { orgId, id } = scan;
  const { results } = rows;
  const equal = scan.known && results.length > 0 ? await stageEqualResults(tx, scan, scan.known, results) : undefined;
  if ((equal?.size ?? 0) < results.length) {
    const json = jsonArrayOf(rows, ({ position }) => !equal?.has(position));
    await tx.query({ name: 'scan.results', text: resultsSql, values: [orgId, id, json] });
  }
  if (texts.length > 0) {
    await tx.query({ name: 'scan.texts', text: textsSql, values: [orgId, id, storableJson(texts)] });
  }
}

/** Stages the results that equal a stored instance of the analysis, and returns their positions. */
async function stageEqualResults(
  tx: Tx,
  { orgId, id }: Staging,
  { repositoryId, key }: KnownAnalysis,
  results: StagedRows['results'],
): Promise<ReadonlySet<number>> {
  const arrayOf = (values: readonly (string | number)[]) => `{${values.join(',')}}`;
  const rows = await tx.query<{ position: number }>({
    name: 'scan.equal-results',
    text: equalResultsSql,
    values: [
      orgId,
      id,
      repositoryId,
      key,
      arrayOf(results.map(({ position }) => position)),
      arrayOf(results.map((result) => result.key)),
      arrayOf(results.map(({ digest }) => digest)),
      arrayOf(results.map(({ state }) => state)),
    ],
  });
  return new Set(rows.map(({ position }) => position));
}

/** Selects whether the results of a scan can be compared with earlier ones of its analysis. */
export async function maybeKnownAnalysis(
  tx: Tx,
  orgId: string,
  { repositoryId, key }: KnownAnalysis,
): Promise<KnownAnalysis | undefined> {
  const rows = await tx.query({
    name: 'scan.known-analysis',
    text: 'select from analysis where org_id = $1 and repository_id = $2 and key = $3',
    values: [orgId, repositoryId, key],
  });
  return rows.length === 0 ? undefined : { repositoryId, key };
}

/** Returns the selected rows as a JSON array in the binary format of PostgreSQL. */
function jsonArrayOf(
  { results, bytes, ends }: StagedRows,
  isSelected: (result: StagedRows['results'][number]) => boolean,
) {
  const close = (rows: Buffer, end: number) => {
    rows.write(']', end, 'latin1');
    return rows.subarray(0, end + 1);
  };
  if (results.every(isSelected)) return close(bytes, ends.at(-1) ?? 0);
  const parts = results.flatMap((result, index) =>
    isSelected(result) ? [bytes.subarray(ends[index - 1] ?? 0, ends[index])] : [],
  );
  const selected = Buffer.concat([...parts, Buffer.alloc(1)]);
  selected.write('[', 0, 'latin1');
  return close(selected, selected.length - 1);
}

const resultsSql = `
  insert into scan_result (org_id, scan_id, position, key, moved_key, path_rule_key, digest, rule_id, rule_name, title, severity,
    category, cwes, codes, package, state, suppressed, path, line, end_line, discovered_at, commit_sha, scanner_reference, text_id, detail, severity_known)
  select $1, $2, position, key, moved_key, path_rule_key, digest, rule_id, rule_name, title, severity,
    category, cwes, codes, package, state, suppressed, path, line, end_line,
    discovered_at, commit_sha, scanner_reference, text_id, detail, coalesce(severity_known, true)
  from json_to_recordset($3::json) as x(position int, key uuid, moved_key uuid, path_rule_key uuid, digest uuid, rule_id text,
    rule_name text, title text, severity smallint, category text, cwes int[], codes jsonb, package text, state text,
    suppressed jsonb, path text, line int, end_line int, discovered_at timestamptz, commit_sha text, scanner_reference jsonb,
    text_id uuid, detail json, severity_known boolean)`;

// Results with the same key may exchange their occurrences, so all of them are staged with their fields. The digest includes
// path and lines. Looks up each key, also in a plan of the time when the table was empty.
const equalResultsSql = `
  insert into scan_result (org_id, scan_id, position, key, digest, state, path, line, end_line)
  select $1, $2, k.position, k.key, i.digest, i.state, i.path, i.line, i.end_line
  from unnest($5::int[], $6::uuid[], $7::uuid[], $8::text[]) as k(position, key, digest, state)
  cross join lateral (
    select digest, state, path, line, end_line from finding_instance
    where org_id = $1 and repository_id = $3 and analysis = $4 and fingerprint = k.key offset 0) i
  where i.digest = k.digest and i.state = k.state and not exists (
    select from finding_source s where s.org_id = $1 and s.repository_id = $3 and s.base_key = k.key and s.occurrence > 1)
  returning position`;

const textsSql = `
  insert into scan_text (org_id, scan_id, id, description, links)
  select $1, $2, id, description, links
  from json_to_recordset($3::json) as x(id uuid, description text, links jsonb) on conflict do nothing`;

/** Deletes the staged results and texts of scans. */
export async function deleteStagedResults(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  await tx.query({
    name: 'scan.forget',
    text: `with texts as (delete from scan_text where org_id = $1 and scan_id = any($2::uuid[]))
           delete from scan_result where org_id = $1 and scan_id = any($2::uuid[])`,
    values: [orgId, ids],
  });
}
