import type { Page } from '@sightline/contract/core/endpoint.ts';
import {
  type AgentConfigurationQuery,
  type ConfigurationItem,
  type ConfigurationType,
  configurationTypes,
} from '@sightline/contract/tools/agent-configuration.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { loadPersonDisplays } from '#core/person-displays.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';
import { isVisibleSql } from '../../sources/repositories/queries.ts';
import { loadToolApprovals, toolsWithApproval } from './approvals.ts';
import { findToolEntry } from './catalog/catalog.ts';
import { detectionUrl } from './code-url.ts';
import type { DetectedConfiguration } from './detect/detection.ts';
import { type InventoryScope, inventoryScopeOf, personInScopeSql } from './scope.ts';

interface ConfigurationRow {
  id: string;
  tool_id: string;
  version: string | null;
  configuration: DetectedConfiguration;
  source: 'repository' | 'editor';
  repository_id: string | null;
  provider: string | null;
  full_name: string | null;
  html_url: string | null;
  path: string | null;
  line: number | null;
  commit_sha: string | null;
  person_id: string | null;
  program: string | null;
  first_seen: Date;
  last_seen: Date;
  removed_at: Date | null;
  changed_sha: string | null;
  changed_by: string | null;
  changed_person: string | null;
  changed_at: Date | null;
  name: string;
  type: ConfigurationType;
}

/** The configuration that a member may see: in files of repositories, and in editors. */
const configurationSql = (scope: InventoryScope): RawBuilder<ConfigurationRow> => sql<ConfigurationRow>`(
  select d.id::text as id, d.tool_id, d.version, d.configuration, 'repository' as source, d.repository_id, r.provider, r.full_name, r.html_url,
    d.path, d.line, d.commit_sha, null::uuid as person_id, null as program, d.first_seen, d.last_seen, d.removed_at,
    d.changed_sha, d.changed_by, d.changed_person, d.changed_at,
    coalesce(d.configuration -> 'server' ->> 'name', d.path) as name,
    case when jsonb_typeof(d.configuration -> 'server') = 'object' then 'server' else d.configuration ->> 'kind' end as type
  from tool_detection d join repository r on r.org_id = d.org_id and r.id = d.repository_id
  where d.org_id = ${scope.orgId} and d.configuration is not null and ${isVisibleSql('d.repository_id', scope)}
  union all
  select md5(concat_ws(' ', p.tool_id, p.person_id, p.program, p.device_id)), p.tool_id, p.version, p.configuration, 'editor', null, null, null, null,
    null, null, null, p.person_id, p.program, p.first_seen, p.last_seen, p.removed_at,
    null, null, p.person_id, p.changed_at,
    p.configuration -> 'server' ->> 'name', 'server'
  from tool_person p
  where p.org_id = ${scope.orgId} and p.tab = 'developer' and p.configuration is not null and ${personInScopeSql('p.person_id', scope)}
)`;

const sorts = {
  'date-desc': ['c.last_seen', 'desc'],
  'date-asc': ['c.last_seen', 'asc'],
  'name-asc': ['c.name', 'asc'],
  'name-desc': ['c.name', 'desc'],
  'changed-desc': ['c.changed_at', 'desc'],
  'changed-asc': ['c.changed_at', 'asc'],
} as const;

/** Lists one page of agent configuration in repositories and editors. */
export async function listConfiguration(
  tx: Tx,
  actor: Actor,
  query: AgentConfigurationQuery,
): Promise<Page<ConfigurationItem[]>> {
  const scope = await inventoryScopeOf(tx, actor);
  const [column, direction] = sorts[query.sort];
  const { rows, total } = await fetchPage(
    tx.db
      .selectFrom(configurationSql(scope).as('c'))
      .where(await filterSql(tx, scope.orgId, query))
      .$if(query.search !== '', (q) =>
        q.where(containsText(sql<string>`concat_ws(' ', c.name, c.tool_id, c.full_name, c.path)`, query.search)),
      )
      .selectAll('c')
      .orderBy(sql.ref(column), (order) => (direction === 'asc' ? order.asc() : order.desc()).nullsLast())
      .orderBy('c.id'),
    query,
  );
  return { rows: await itemsOf(tx, scope, rows), total };
}

async function filterSql(
  tx: Tx,
  orgId: string,
  { types, agents, transports, approvals, states, sources, repositories }: AgentConfigurationQuery,
): Promise<RawBuilder<boolean>> {
  const approved = await toolsWithApproval(tx, orgId, approvals);
  const anyOf = (column: string, values: readonly string[], type = 'text') =>
    values.length === 0 ? sql`true` : sql`${sql.raw(column)} = any(${values}::${sql.raw(type)}[])`;
  const isUnreadable = sql`jsonb_typeof(c.configuration -> 'problem') = 'string'`;
  const stateSql = {
    current: sql`(c.removed_at is null and not ${isUnreadable})`,
    removed: sql`c.removed_at is not null`,
    unreadable: sql`(c.removed_at is null and ${isUnreadable})`,
  };
  return sql<boolean>`(${anyOf('c.type', types)} and ${anyOf("c.configuration ->> 'agent'", agents)}
    and ${anyOf("c.configuration -> 'server' ->> 'transport'", transports)} and ${anyOf('c.source', sources)}
    and ${anyOf('c.repository_id', repositories, 'uuid')}
    and ${
      states.length === 0
        ? sql`true`
        : sql`(${sql.join(
            states.map((state) => stateSql[state]),
            sql` or `,
          )})`
    }
    and ${approved === undefined ? sql`true` : sql`(c.tool_id = any(${approved.ids}::text[])) <> ${approved.isWithout}`})`;
}

async function itemsOf(tx: Tx, scope: InventoryScope, rows: readonly ConfigurationRow[]): Promise<ConfigurationItem[]> {
  const approvals = await loadToolApprovals(tx, scope.orgId);
  const isSeen = (person: string | null) =>
    person !== null && (scope.people === undefined || scope.people.includes(person));
  const displayOf = await loadPersonDisplays(
    tx,
    scope.orgId,
    rows.flatMap(({ person_id: person }) => (person !== null && isSeen(person) ? [person] : [])),
  );
  return rows.map((row) => {
    const { agent, server, problem } = row.configuration;
    const entry = findToolEntry(row.tool_id);
    const { state, policy } = approvals.of({
      id: row.tool_id,
      version: row.version,
      firstSeen: row.first_seen.toISOString(),
    });
    return {
      id: row.id,
      type: configurationTypes.find((type) => type === row.type) ?? 'settings',
      agent,
      tool: { id: row.tool_id, name: entry?.name ?? row.tool_id, icon: entry?.icon ?? null },
      server,
      state: row.removed_at !== null ? 'removed' : problem === null ? 'current' : 'unreadable',
      problem,
      source: row.source,
      repository:
        row.repository_id === null
          ? null
          : { id: row.repository_id, provider: row.provider ?? '', fullName: row.full_name ?? '' },
      path: row.path,
      line: row.line,
      url: urlOf(row),
      person: row.person_id !== null && isSeen(row.person_id) ? displayOf(row.person_id) : null,
      program: row.program,
      approval: { state, policy },
      firstSeen: row.first_seen.toISOString(),
      lastSeen: row.last_seen.toISOString(),
      removedAt: row.removed_at?.toISOString() ?? null,
      lastChange:
        row.changed_at === null
          ? null
          : {
              at: row.changed_at.toISOString(),
              author: authorOf(row, isSeen, displayOf),
              commit: row.changed_sha,
            },
    };
  });
}

function authorOf(
  row: ConfigurationRow,
  isSeen: (person: string | null) => boolean,
  displayOf: (id: string) => { name: string },
): string | null {
  if (!isSeen(row.changed_person)) return null;
  return row.source === 'editor' && row.person_id !== null ? displayOf(row.person_id).name : row.changed_by;
}

/** The file as of its last known change. */
function urlOf({ html_url, provider, path, line, changed_sha, commit_sha }: ConfigurationRow): string | null {
  const commit = changed_sha ?? commit_sha;
  if (html_url === null || path === null || commit === null || commit === '') return null;
  return detectionUrl({ html_url, provider: provider ?? '', path, line, commit_sha: commit });
}
