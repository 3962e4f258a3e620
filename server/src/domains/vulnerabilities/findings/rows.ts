import type { FindingCategory } from '@sightline/contract/core/finding-categories.ts';
import type { Provider } from '@sightline/contract/core/providers.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import type { Finding, FindingStatus } from '@sightline/contract/vulnerabilities/findings.ts';
import { type RemediationLimit, remediationDeadline } from '#core/remediation.ts';
import type { Tx } from '#database/database.ts';
import { findCurrentWaivers } from '../waivers/queries.ts';

/** A row of `finding` with its related names, without the details of its own page. */
export interface FindingRow {
  id: string;
  title: string;
  severity: number;
  category: FindingCategory;
  tools: string[];
  /** Display names of the scanners, in the same order. */
  tool_names: string[];
  data_source: string;
  discovered_at: Date;
  repository_id: string;
  owner: string;
  name: string;
  full_name: string;
  provider: Provider;
  ref: string;
  path: string | null;
  line: number | null;
  end_line: number | null;
  codes: Finding['codes'];
  status: FindingStatus;
  unread: boolean;
  fingerprint: string;
  introduced: Finding['introducedBy'];
  assignee: Finding['assignee'];
  ticket_url: string | null;
  labels: string[];
  /** Whether a waiver is requested, or approved and not expired. */
  has_waiver: boolean;
}

/** Returns findings by ID, in the given order, with the read marks of an account. Skips unknown IDs. */
export async function loadFindingRows(
  tx: Tx,
  orgId: string,
  accountId: string,
  ids: readonly string[],
): Promise<FindingRow[]> {
  return tx.query<FindingRow>({
    name: 'findings.rows',
    text: `select f.id, t.title, f.severity, f.category, f.tools, f.data_source,
             (select array_agg(coalesce(n.name, k.tool) order by k.place) from unnest(f.tools) with ordinality as k(tool, place)
               left join finding_tool n on n.org_id = $1 and n.tool = k.tool) as tool_names, f.discovered_at, f.repository_id,
             r.owner, r.name, r.full_name, r.provider, f.ref, f.path, f.line, f.end_line, f.codes, f.status,
             not exists (select from finding_seen s where s.org_id = $1 and s.account_id = $2 and s.finding_id = f.id) as unread,
             f.fingerprint, f.introduced, f.ticket_url,
             case when f.assignee_id is not null then coalesce(
               (select jsonb_build_object('id', a.id, 'name', a.name, 'picture', a.picture) from visible_account a
                 where a.id = f.assignee_id),
               jsonb_build_object('id', f.assignee_id, 'name', 'Former member', 'picture', null)) end as assignee,
             array(select l.label from finding_label l where l.org_id = $1 and l.finding_id = f.id order by l.label) as labels,
             exists (select from finding_waiver w
               where w.org_id = $1 and w.finding_id = f.id and w.state in ('requested', 'approved')) as has_waiver
           from unnest($3::uuid[]) with ordinality as asked(id, place)
           join finding f on f.org_id = $1 and f.id = asked.id
           join finding_title t on t.org_id = $1 and t.id = f.title_id
           join repository r on r.org_id = $1 and r.id = f.repository_id
           order by asked.place`,
    values: [orgId, accountId, ids],
  });
}

/** Returns the display names of scanners by key. */
export async function loadScannerNames(tx: Tx, orgId: string): Promise<Map<string, string>> {
  const rows = await tx.query<{ tool: string; name: string }>({
    name: 'findings.tools',
    text: 'select tool, name from finding_tool where org_id = $1',
    values: [orgId],
  });
  return new Map(rows.map(({ tool, name }) => [tool, name]));
}

/** Converts rows to the response of the API. `limits` are the remediation time limits of the organization. */
export async function toFindings(
  tx: Tx,
  orgId: string,
  rows: readonly FindingRow[],
  limits: readonly RemediationLimit[],
): Promise<Finding[]> {
  const waivers = await findCurrentWaivers(
    tx,
    orgId,
    rows.filter((row) => row.has_waiver).map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...findingOf(row),
    exception: waivers.get(row.id) ?? null,
    dueAt:
      row.status === 'open'
        ? remediationDeadline(limits, {
            repositoryId: row.repository_id,
            discoveredAt: row.discovered_at,
            severity: severities[row.severity] ?? 'info',
          })
        : null,
  }));
}

function findingOf(row: FindingRow): Omit<Finding, 'exception' | 'dueAt'> {
  const { id, repository_id, owner, name, full_name, provider } = row;
  const tools = row.tools.map((tool, index) => ({ id: tool, name: row.tool_names[index] ?? tool }));
  const first = tools.find((tool) => tool.id === row.data_source) ?? { id: row.data_source, name: row.data_source };
  return {
    id,
    title: row.title,
    severity: severities[row.severity] ?? 'info',
    category: row.category,
    tools: [first, ...tools.filter((tool) => tool !== first)],
    dataSource: first.name,
    discoverDate: row.discovered_at.toISOString(),
    repository: { id: repository_id, owner, name, fullName: full_name, provider },
    ref: { ref: row.ref },
    coordinate: row.path === null ? null : { filePath: row.path, line: row.line, endLine: row.end_line },
    codes: row.codes,
    status: row.status,
    acknowledged: row.status === 'dismissed',
    unread: row.unread,
    fingerprint: row.fingerprint,
    introducedBy: row.introduced,
    assignee: row.assignee,
    ticketUrl: row.ticket_url,
    labels: row.labels,
  };
}
