import type { EvaluatedItem } from '@sightline/contract/compliance/control-rows.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import { remediationDeadline } from '#core/remediation.ts';
import type { Tx } from '#database/database.ts';
import { remediationLimits } from './remediation-limits.ts';

interface ItemRow extends Record<string, unknown> {
  subject: string;
  title: string;
  severity: number | null;
  status: string | null;
  repository: string | null;
  discoveredAt: Date | null;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Returns the current title of evaluated items by subject: of vulnerabilities also severity and deadline. Items without
 * one, or whose data was deleted, are omitted. Evidence refers to subjects, not to titles.
 */
export async function loadEvaluatedItems(
  tx: Tx,
  orgId: string,
  subjects: readonly string[],
): Promise<Map<string, EvaluatedItem>> {
  const idsOf = (kind: string) =>
    subjects.flatMap((subject) => {
      const [of, id = ''] = subject.split(':');
      return of === kind && uuid.test(id) ? [id] : [];
    });
  const rows = await tx.query<ItemRow>({
    name: 'controls.evaluated-items',
    text: `select 'finding:' || f.id as subject, t.title, f.severity, f.status, f.repository_id as repository,
             f.discovered_at as "discoveredAt"
           from unnest($2::uuid[]) as asked(id) join finding f on f.org_id = $1 and f.id = asked.id
           join finding_title t on t.org_id = $1 and t.id = f.title_id
           union all
           select 'change:' || c.id, coalesce(p.title, 'Push to ' || c.branch) || coalesce(' #' || c.number, ''), null, null, null, null
           from unnest($3::uuid[]) as asked(id)
           join lateral (
             select * from change_record r where r.org_id = $1 and r.id = asked.id order by r.version desc limit 1) c on true
           left join pull_request p on p.org_id = $1 and p.repository_id = c.repository_id and p.number = c.number
           union all
           select 'waiver:' || w.id, 'Waiver for ' || t.title, null, null, null, null
           from unnest($4::uuid[]) as asked(id) join finding_waiver w on w.org_id = $1 and w.id = asked.id
           join finding f on f.org_id = $1 and f.id = w.finding_id
           join finding_title t on t.org_id = $1 and t.id = f.title_id`,
    values: [orgId, idsOf('finding'), idsOf('change'), idsOf('waiver')],
  });
  const limits = rows.some(({ status }) => status === 'open') ? await remediationLimits.find(tx, orgId) : [];
  return new Map(
    rows.map(({ subject, title, severity: rank, status, repository: repositoryId, discoveredAt }) => {
      const severity = rank === null ? null : (severities[rank] ?? null);
      const isDated = status === 'open' && severity !== null && repositoryId !== null && discoveredAt !== null;
      const dueAt = isDated ? remediationDeadline(limits, { repositoryId, discoveredAt, severity }) : null;
      return [subject, { title, severity, dueAt }];
    }),
  );
}
