import { severities } from '@sightline/contract/core/severities.ts';
import type { Parameter } from '@sightline/contract/timeline/events.ts';
import type { AuditActor } from '#core/audit.ts';
import { factId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import type { NewEvent } from '../../timeline/events/new-event.ts';
import type { MatchOutcome, ScanChanges } from './match.ts';
import type { StagedScan } from './staged-scan.ts';
import { withJoinPlan } from './status.ts';

/**
 * Builds the timeline event of a scan, with the open findings of its analysis by severity (spec 3). The rules and codes
 * of the touched and created findings become its search fields.
 */
export async function createScanEvent(
  tx: Tx,
  actor: AuditActor,
  scan: StagedScan,
  { changes, touched, created }: MatchOutcome,
): Promise<NewEvent> {
  const { id, repositoryId, ref, commit, source, toolName } = scan;
  const open = await countOpen(tx, scan);
  const repository = await tx.db
    .selectFrom('repository')
    .where('org_id', '=', scan.orgId)
    .where('id', '=', repositoryId)
    .select(['full_name', 'provider', 'html_url'])
    .executeTakeFirstOrThrow();
  const branch = ref.replace(/^refs\/(heads|tags)\//, '');
  const total = open.reduce((sum, count) => sum + count, 0);
  const parameters: Parameter[] = [
    { kind: 'data_source', display: toolName, ident: scan.tool, data: { source } },
    {
      kind: 'number',
      display: countOf(total, 'open finding'),
      ident: String(total),
      // A row of the timeline shows the highest severity without loading the details.
      data: { severities: Object.fromEntries(severities.map((severity, index) => [severity, open[index] ?? 0])) },
    },
    { kind: 'repository', display: repository.full_name, ident: repository.full_name, icon: repository.provider },
    { kind: 'branch', display: branch, ident: branch },
    { kind: 'text', display: describeChanges(changes), ident: '' },
  ];
  return {
    id: factId('scan', id),
    kind: 'vulnerability',
    asOf: new Date().toISOString(),
    actor: 'personId' in actor ? actor.personId : null,
    repositoryId,
    pullRequest: pullRequestOf(ref),
    source,
    summary: { phrase: '{0} reported {1} in {2} on {3}: {4}', parameters },
    detail: [
      ...severities.map((severity, index) => numberOf(severity, open[index] ?? 0)),
      numberOf('new', changes.new),
      numberOf('fixed', changes.fixed),
      numberOf('reopened', changes.reopened),
      numberOf('unchanged', changes.unchanged),
      ...(commit === null
        ? []
        : [
            {
              label: 'Commit',
              parameter: {
                kind: 'sha' as const,
                display: commit.slice(0, 7),
                ident: commit,
                data: { url: `${repository.html_url}/commit/${commit}` },
              },
            },
          ]),
    ],
    words: `${toolName} scan ${ref} ${commit ?? ''}`,
    fields: {
      ...(await searchFieldsOf(tx, scan.orgId, [...touched, ...created])),
      ...(isTag.test(ref) && { tag: [branch] }),
      category: [scan.category],
      tool: [toolName],
      status: [
        ...(total > 0 ? ['open'] : []),
        ...(changes.fixed > 0 ? ['fixed'] : []),
        ...(changes.reopened > 0 ? ['reopened'] : []),
      ],
    },
  };
}

/** Open instances of the analysis by severity, worst first. */
async function countOpen(tx: Tx, { orgId, repositoryId, analysis }: StagedScan): Promise<number[]> {
  const rows = await withJoinPlan(tx, Infinity, () =>
    tx.query<{ severity: number; count: number }>({
      name: '',
      text: `select s.severity, count(*)::int as count from finding_instance i
             join finding_source s on s.org_id = $1 and s.repository_id = $2 and s.fingerprint = i.fingerprint
             where i.org_id = $1 and i.repository_id = $2 and i.analysis = $3 and i.state = 'open' group by s.severity`,
      values: [orgId, repositoryId, analysis],
    }),
  );
  const counts = new Map(rows.map(({ severity, count }) => [severity, count]));
  return severities.map((_, index) => counts.get(index) ?? 0);
}

/** Returns search fields of findings: rule IDs and names, CWE numbers and advisory IDs. */
async function searchFieldsOf(
  tx: Tx,
  orgId: string,
  findings: readonly string[],
): Promise<NonNullable<NewEvent['fields']>> {
  const rows = await tx.query<{ kind: 'rule' | 'cwe' | 'cve' | 'ghsa'; value: string }>({
    name: '',
    text: `with s as materialized (
             select distinct rule_id, rule_name, cwes, codes from finding_source where org_id = $1 and finding_id = any($2::uuid[])
           )
           select 'rule' as kind, rule_id as value from s
           union select 'rule', rule_name from s where rule_name is not null
           union select 'cwe', n::text from s cross join unnest(cwes) as n
           union select code->>'kind', code->>'id' from s cross join jsonb_array_elements(codes) as code where code->>'kind' <> 'cwe'`,
    values: [orgId, findings],
  });
  const byKind = Map.groupBy(rows, ({ kind }) => kind);
  return Object.fromEntries([...byKind].map(([kind, of]) => [kind, of.map(({ value }) => value)]));
}

const isTag = /^refs\/tags\//;

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function describeChanges({ new: added, fixed, reopened }: ScanChanges): string {
  const parts = [
    added > 0 ? `${added} new` : '',
    fixed > 0 ? `${fixed} fixed` : '',
    reopened > 0 ? `${reopened} reopened` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'nothing changed' : parts.join(', ');
}

const numberOf = (label: string, count: number) => ({
  label: `${label[0]?.toUpperCase()}${label.slice(1)}`,
  parameter: { kind: 'number', display: String(count), ident: String(count) } as Parameter,
});

function pullRequestOf(ref: string): number | null {
  const number = Number(/^refs\/pull\/(\d+)\//.exec(ref)?.[1]);
  return Number.isSafeInteger(number) && number < 2 ** 31 ? number : null;
}
