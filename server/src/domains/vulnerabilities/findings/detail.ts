import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { codeAddressOf } from '#core/code-address.ts';
import { NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { agentsOfFinding } from '../../sources/attribution/queries.ts';
import { exploreContextOf } from '../../sources/repositories/queries.ts';
import { findLinkedTickets } from '../../sources/trackers/queries.ts';
import { allowedFindingActions, findDismissal, listFindingDecisions, mergedIntoId } from '../triage/queries.ts';
import { listWaiversOfFinding } from '../waivers/queries.ts';
import { mapCompliances } from './compliance.ts';
import { findingHistoryOf } from './finding-history.ts';
import { requireVisibleFinding } from './queries.ts';
import type { StoredDetail } from './result.ts';
import { loadFindings, loadScannerNames } from './rows.ts';
import { listFindingSources } from './sources.ts';

/** Returns a finding with all details, or the finding that it was merged into. Throws 404. */
export async function getFindingDetail(
  services: Pick<Services, 'remediationLimits'>,
  tx: Tx,
  actor: Actor,
  requestedId: string,
): Promise<FindingDetail> {
  const { orgId } = actor;
  const id = (await mergedIntoId(tx, orgId, requestedId)) ?? requestedId;
  await requireVisibleFinding(tx, actor, id);
  const [finding] = await loadFindings(services, tx, { orgId, accountId: actor.accountId, ids: [id] });
  const detailRow = await findDetailRow(tx, orgId, id);
  if (!finding || !detailRow) throw NotFound('Vulnerability');
  const names = await loadScannerNames(tx, orgId);
  const sources = await listFindingSources(tx, orgId, id, names);
  const waivers = await listWaiversOfFinding(tx, actor, id);
  const { detail, decided, status } = detailRow;
  const decisions = await listFindingDecisions(tx, orgId, id);
  return {
    ...finding,
    ticket: (await findLinkedTickets(tx, orgId, 'finding', [id])).get(id) ?? null,
    introducedWith: await introducedWith(tx, orgId, finding, detailRow),
    description: detailRow.description,
    message: detail.message,
    snippet: finding.category === 'secret' ? null : detail.snippet,
    ...evidenceOf(detail, detailRow),
    package: detail.package,
    assessment: detail.assessment ?? null,
    references: detailRow.links,
    compliances: mapCompliances(detailRow.cwes, detail.compliances),
    sources,
    history: await findingHistoryOf(tx, orgId, { id, sources, names, decisions, introducedBy: finding.introducedBy }),
    dismissal: await findDismissal(tx, orgId, { id, status, decided }),
    waivers,
    codeUrl: codeUrlOf(detailRow),
    commit: detailRow.commit_sha,
    exploreContext: exploreContextOf(finding.repository.id),
    allowed: allowedFindingActions(actor, { status, decided, sources: sources.length, waivers }),
  };
}

/** Returns the further evidence of the scanner, with links to the code host. */
function evidenceOf({ flow, evidence }: StoredDetail, detailRow: DetailRow) {
  const { region = null, locations = [], relatedLocations = [], otherFlows = [], fixes = [] } = evidence ?? {};
  const withUrl = (all: typeof locations) =>
    all.map((location) => ({
      ...location,
      url: codeUrlOf({ ...detailRow, path: location.filePath, line: location.line, end_line: location.endLine }),
    }));
  return {
    flow: [...flow],
    region,
    locations: withUrl(locations),
    relatedLocations: withUrl(relatedLocations),
    otherFlows: otherFlows.map((steps) => [...steps]),
    fixes: fixes.map(({ description, changes }) => ({ description, changes: [...changes] })),
  };
}

const introducedWith = async (
  tx: Tx,
  orgId: string,
  { introducedBy: by, repository }: Pick<FindingDetail, 'introducedBy' | 'repository'>,
  { commit_sha: seenAt, path, line, end_line: endLine }: DetailRow,
): Promise<FindingDetail['introducedWith']> =>
  by
    ? agentsOfFinding(tx, orgId, {
        repositoryId: repository.id,
        commit: by.commit,
        pullRequest: by.pullRequest,
        seenAt,
        path,
        line,
        endLine,
      })
    : [];

interface DetailRow {
  status: FindingDetail['status'];
  decided: string | null;
  cwes: number[];
  commit_sha: string | null;
  path: string | null;
  line: number | null;
  end_line: number | null;
  ref: string;
  html_url: string;
  provider: string;
  description: string;
  links: FindingDetail['references'];
  detail: StoredDetail;
}

async function findDetailRow(tx: Tx, orgId: string, id: string): Promise<DetailRow | undefined> {
  const { rows } = await sql<DetailRow>`
    select f.status, f.decided, f.cwes, f.commit_sha, f.path, f.line, f.end_line, f.ref, r.html_url, r.provider,
      coalesce(x.description, '') as description, coalesce(x.links, '[]') as links,
      coalesce(d.detail::jsonb, '{"message":"","snippet":null,"flow":[],"package":null,"compliances":[]}') as detail
    from finding f join repository r on r.org_id = f.org_id and r.id = f.repository_id
    left join finding_detail d on d.org_id = f.org_id and d.repository_id = f.repository_id and d.fingerprint = f.fingerprint
    left join finding_text x on x.org_id = f.org_id and x.id = d.text_id
    where f.org_id = ${orgId} and f.id = ${id}::uuid`.execute(tx.db);
  return rows[0];
}

/** Returns the URL of the lines on the code host; null without a file. */
function codeUrlOf({ html_url, provider, commit_sha, ref, path, line, end_line }: DetailRow): string | null {
  if (path === null) return null;
  const lastLine = end_line !== null && line !== null && end_line > line ? end_line : null;
  const at = commit_sha ?? ref.replace(/^refs\/(heads|tags)\//, '');
  return codeAddressOf(provider, html_url, { at, isRef: commit_sha === null, path, line, lastLine });
}
