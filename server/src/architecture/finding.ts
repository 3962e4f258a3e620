import { factId, newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import { recomputeFindings } from '../domains/vulnerabilities/findings/status.ts';

interface FindingFixture {
  orgId: string;
  repositoryId: string;
  /** Occurs in all texts of the finding. */
  name: string;
  commit: string;
}

export interface SeededFinding {
  findingId: string;
  scanId: string;
}

/** Inserts an open finding as a scan does: its source, one instance, and the scan itself. */
export async function insertFinding(
  tx: Tx,
  { orgId, repositoryId, name, commit }: FindingFixture,
): Promise<SeededFinding> {
  const finding = {
    of: { org_id: orgId, repository_id: repositoryId },
    name,
    commit,
    findingId: newId(),
    scanId: newId(),
    analysis: factId(repositoryId, 'analysis'),
  };
  const { findingId, scanId } = finding;
  await insertScan(tx, finding);
  await insertSource(tx, finding);
  await insertInstance(tx, finding);
  await recomputeFindings(tx, orgId, [findingId]);
  return { findingId, scanId };
}

const at = new Date('2026-03-01T12:00:00Z');
const by = { source: 'sarif', tool: 'codeql', category: '', ref: 'refs/heads/main' };

interface FindingRows {
  of: { org_id: string; repository_id: string };
  name: string;
  commit: string;
  findingId: string;
  scanId: string;
  analysis: string;
}

const fingerprintOf = ({ findingId }: FindingRows) => factId(findingId, 'fingerprint');

async function insertScan(tx: Tx, { of, commit, scanId, analysis }: FindingRows): Promise<void> {
  await tx.db
    .insertInto('scan')
    .values({
      ...of,
      ...by,
      id: scanId,
      tool_name: 'CodeQL',
      commit_sha: commit,
      analysis,
      complete: true,
      state: 'done',
      received: 1,
      counts: JSON.stringify({ new: 1, unchanged: 0, fixed: 0, reopened: 0, rejected: 0 }),
      actor_kind: 'system',
      actor_id: 'seed',
      received_at: at,
      finished_at: at,
    })
    .execute();
  await tx.db
    .insertInto('analysis')
    .values({ ...of, ...by, key: analysis, last_scan: scanId, last_seen: at })
    .execute();
}

/** Inserts the source of the finding, and its texts. */
async function insertSource(tx: Tx, finding: FindingRows): Promise<void> {
  const { of, name, findingId } = finding;
  const { org_id: orgId } = of;
  const [titleId, textId] = [newId(), newId()];
  const fingerprint = fingerprintOf(finding);
  await tx.db.insertInto('finding_tool').values({ org_id: orgId, tool: 'codeql', name: 'CodeQL' }).execute();
  await tx.db
    .insertInto('finding_title')
    .values({ org_id: orgId, id: titleId, title: `${name} is injectable` })
    .execute();
  await tx.db
    .insertInto('finding_text')
    .values({ org_id: orgId, id: textId, description: `About ${name}.`, links: '[]' })
    .execute();
  await tx.db
    .insertInto('finding_source')
    .values({
      ...of,
      fingerprint,
      base_key: fingerprint,
      path_rule_key: factId(findingId, 'near'),
      finding_id: findingId,
      tool: 'codeql',
      rule_id: 'js/sql-injection',
      title_id: titleId,
      severity: 1,
      category: 'sast',
      cwes: [89],
      codes: JSON.stringify([{ kind: 'cwe', id: 'CWE-89', url: 'https://cwe.mitre.org/data/definitions/89.html' }]),
      reason: 'first',
      explanation: 'CodeQL saw it first.',
      first_seen: at,
    })
    .execute();
  const detail = { message: `Seen in ${name}.`, snippet: null, flow: [], package: null, compliances: [] };
  await tx.db
    .insertInto('finding_detail')
    .values({ ...of, fingerprint, text_id: textId, detail: JSON.stringify(detail) })
    .execute();
}

async function insertInstance(tx: Tx, finding: FindingRows): Promise<void> {
  const { of, commit, findingId, scanId, analysis } = finding;
  await tx.db
    .insertInto('finding_instance')
    .values({
      ...of,
      analysis,
      fingerprint: fingerprintOf(finding),
      finding_id: findingId,
      ref: by.ref,
      state: 'open',
      path: 'src/a.ts',
      line: 48,
      end_line: 48,
      commit_sha: commit,
      digest: factId(findingId, 'digest'),
      first_scan: scanId,
      first_seen: at,
    })
    .execute();
}
