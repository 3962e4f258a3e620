import type { FindingCategory } from '@sightline/contract/core/finding-categories.ts';
import type { Provider } from '@sightline/contract/core/providers.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import type { Finding, FindingStatus } from '@sightline/contract/vulnerabilities/findings.ts';
import type { Waiver } from '@sightline/contract/vulnerabilities/waivers.ts';
import { type RemediationLimit, remediationDeadline } from '#core/remediation.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { findCurrentWaivers } from '../waivers/queries.ts';

/** A row of `finding` with its related names, without the details of its own page. */
interface FindingRow {
  id: string;
  title: string;
  severity: number;
  category: FindingCategory;
  tools: string[];
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
  /** Of the organization; in one row, null in all others. */
  scanner_names: Record<string, string> | null;
}

// $1 organization, $2 account, $3 findings in order. `more`: further columns.
const findingRowsSql = (more: string) => `
  select f.id, t.title, f.severity, f.category, f.tools, f.data_source, f.discovered_at, f.repository_id,
    r.owner, r.name, r.full_name, r.provider, f.ref, f.path, f.line, f.end_line, f.codes, f.status,
    not exists (select from finding_seen s where s.org_id = $1 and s.account_id = $2 and s.finding_id = f.id) as unread,
    f.fingerprint, f.introduced, f.ticket_url,
    case when f.assignee_id is not null then coalesce(
      (select jsonb_build_object('id', a.id, 'name', a.name, 'picture', a.picture) from visible_account a
        where a.id = f.assignee_id),
      jsonb_build_object('id', f.assignee_id, 'name', 'Former member', 'picture', null)) end as assignee,
    array(select l.label from finding_label l where l.org_id = $1 and l.finding_id = f.id order by l.label) as labels,
    exists (select from finding_waiver w
      where w.org_id = $1 and w.finding_id = f.id and w.state in ('requested', 'approved')) as has_waiver,
    case row_number() over () when 1 then (select jsonb_object_agg(n.tool, n.name) from finding_tool n where n.org_id = $1)
      end as scanner_names${more}
  from unnest($3::uuid[]) with ordinality as asked(id, place)
  -- Looks up each key, also in a plan of the time when the table was empty.
  cross join lateral (select * from finding where org_id = $1 and id = asked.id offset 0) f
  cross join lateral (select title from finding_title where org_id = $1 and id = f.title_id offset 0) t
  join repository r on r.org_id = $1 and r.id = f.repository_id
  order by asked.place`;

/** Returns findings by ID, in the given order, with the read marks of an account. Skips unknown IDs. */
export async function loadFindings(
  { remediationLimits }: Pick<Services, 'remediationLimits'>,
  tx: Tx,
  { orgId, accountId, ids }: { orgId: string; accountId: string; ids: readonly string[] },
): Promise<Finding[]> {
  const settingsSql = `, case row_number() over () when 1 then ${remediationLimits.settingsSql} end as remediation_settings`;
  const rows = await tx.query<FindingRow & { remediation_settings: unknown }>({
    name: 'findings.rows',
    text: findingRowsSql(settingsSql),
    values: [orgId, accountId, ids],
  });
  const withSettings = rows.find((row) => row.remediation_settings !== null);
  const limits = remediationLimits.parse(withSettings?.remediation_settings);
  const waivers = await findCurrentWaivers(
    tx,
    orgId,
    rows.filter((row) => row.has_waiver).map(({ id }) => id),
  );
  return toFindings(rows, { limits, waivers });
}

/** Returns findings in states of the history, in the given order. States do not name the introducing commit. */
export async function loadFindingStates(
  tx: Tx,
  { orgId, accountId, states }: { orgId: string; accountId: string; states: readonly { id: string; number: number }[] },
  facts: FindingFacts,
): Promise<Finding[]> {
  const rows = await tx.query<FindingRow>({
    name: 'findings.state-rows',
    text: `with state as materialized (select * from finding_state where org_id = $1 and finding_id = any($3) and number = any($4::bigint[])),
           finding as (select s.*, s.finding_id as id, null::jsonb as introduced from state s),
           finding_label as (select s.org_id, s.finding_id, unnest(s.labels) as label from state s) ${findingRowsSql('')}`,
    values: [orgId, accountId, states.map(({ id }) => id), states.map(({ number }) => number)],
  });
  return toFindings(rows, facts);
}

interface FindingFacts {
  /** The remediation time limits of the organization. */
  limits: readonly RemediationLimit[];
  /** Requested and approved waivers by finding. */
  waivers: ReadonlyMap<string, Waiver>;
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

function toFindings(rows: readonly FindingRow[], { limits, waivers }: FindingFacts): Finding[] {
  const names = new Map(Object.entries(rows.find((row) => row.scanner_names !== null)?.scanner_names ?? {}));
  return rows.map((row) => ({
    ...findingOf(row, names),
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

function findingOf(row: FindingRow, names: ReadonlyMap<string, string>): Omit<Finding, 'exception' | 'dueAt'> {
  const { id, repository_id, owner, name, full_name, provider } = row;
  const tools = row.tools.map((tool) => ({ id: tool, name: names.get(tool) ?? tool }));
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
