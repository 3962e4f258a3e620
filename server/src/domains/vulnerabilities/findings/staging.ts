import type { Tx } from '#database/database.ts';
import { type RuleText, storableJson } from './storable-values.ts';

/** The staging area of a scan. `bytes` is reused for all batches, since strings of this size would exhaust memory. */
interface Staging {
  readonly orgId: string;
  readonly id: string;
  bytes: Buffer;
}

/** Stages results of a scan and the texts of their rules. */
export async function stageResults(
  tx: Tx,
  scan: Staging,
  rows: readonly string[],
  texts: readonly RuleText[],
): Promise<void> {
  const { orgId, id } = scan;
  if (rows.length > 0) {
    await tx.query({ name: 'scan.results', text: resultsSql, values: [orgId, id, jsonArrayOf(scan, rows)] });
  }
  if (texts.length > 0) {
    await tx.query({ name: 'scan.texts', text: textsSql, values: [orgId, id, storableJson(texts)] });
  }
}

/** Serializes rows as a JSON array in the binary format of PostgreSQL. */
function jsonArrayOf(scan: Staging, rows: readonly string[]): Buffer {
  const size = rows.reduce((sum, row) => sum + Buffer.byteLength(row) + 1, 1);
  if (scan.bytes.length < size) scan.bytes = Buffer.allocUnsafe(Math.ceil(size * 1.25));
  let end = 0;
  for (const row of rows) {
    end += scan.bytes.write(end === 0 ? '[' : ',', end);
    end += scan.bytes.write(row, end);
  }
  end += scan.bytes.write(']', end);
  return scan.bytes.subarray(0, end);
}

const resultsSql = `
  insert into scan_result (org_id, scan_id, position, key, moved_key, path_rule_key, digest, rule_id, rule_name, title, severity,
    category, cwes, codes, package, state, suppressed, path, line, end_line, discovered_at, commit_sha, scanner_reference, text_id, detail, severity_known)
  select $1, $2, position, key, moved_key, path_rule_key, digest, rule_id, rule_name, title, severity,
    category, array(select json_array_elements_text(cwes)::int), codes, package, state, suppressed, path, line, end_line,
    discovered_at, commit_sha, scanner_reference, text_id, detail, coalesce(severity_known, true)
  from json_to_recordset($3::json) as x(position int, key uuid, moved_key uuid, path_rule_key uuid, digest uuid, rule_id text,
    rule_name text, title text, severity smallint, category text, cwes json, codes jsonb, package text, state text,
    suppressed jsonb, path text, line int, end_line int, discovered_at timestamptz, commit_sha text, scanner_reference jsonb,
    text_id uuid, detail json, severity_known boolean)`;

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
