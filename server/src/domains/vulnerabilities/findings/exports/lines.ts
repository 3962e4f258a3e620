import type { Finding } from '@sightline/contract/vulnerabilities/findings.ts';
import { sql } from 'kysely';
import { NIL_UUID } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { loadFindings } from '../rows.ts';

/** A finding in an exported file. */
export interface FindingLine extends Omit<Finding, 'unread'> {
  ruleId: string;
  message: string;
  commit: string | null;
  /** Whether the latest scan reported the finding for the first time. */
  isNew: boolean;
  /** The latest reason for the dismissal or waiver; null without a reason. */
  reason: string | null;
}

interface LineRow {
  id: string;
  rule_id: string | null;
  message: string | null;
  commit_sha: string | null;
  is_new: boolean;
  reason: string | null;
}

/**
 * Returns findings by ID, in the given order. The rule and message are those of `tool`, or else of the first scanner.
 */
export async function findFindingLines(
  services: Pick<Services, 'remediationLimits'>,
  tx: Tx,
  { orgId, ids, tool }: { orgId: string; ids: readonly string[]; tool: string | null },
): Promise<FindingLine[]> {
  // The contents of a file do not depend on the read marks of its reader.
  const findings = await loadFindings(services, tx, { orgId, accountId: NIL_UUID, ids });
  const { rows } = await sql<LineRow>`
    select f.id, s.rule_id, d.detail::jsonb->>'message' as message, f.commit_sha,
      exists (
        select from finding_instance i
        join analysis a on a.org_id = i.org_id and a.repository_id = i.repository_id and a.key = i.analysis
        where i.org_id = ${orgId} and i.finding_id = f.id and i.state <> 'fixed' and i.first_scan = a.last_scan
      ) as is_new,
      case when f.status in ('dismissed', 'exception') then coalesce(
        (select concat_ws(': ', n.reason, nullif(n.comment, '')) from finding_decision n
          where n.org_id = ${orgId} and n.finding_id = f.id and n.kind in ('dismissed', 'waiver_requested')
          order by n.at desc limit 1),
        (select concat_ws(': ', nullif(i.suppressed->>'reason', ''), nullif(i.suppressed->>'comment', '')) from finding_instance i
          where i.org_id = ${orgId} and i.finding_id = f.id and i.state = 'suppressed' limit 1)) end as reason
    from unnest(${ids}::uuid[]) as asked(id) join finding f on f.org_id = ${orgId} and f.id = asked.id
    left join lateral (
      select fingerprint, rule_id from finding_source s where s.org_id = ${orgId} and s.finding_id = f.id
      order by s.tool = ${tool} desc nulls last, s.fingerprint = f.fingerprint desc limit 1) s on true
    left join finding_detail d on d.org_id = ${orgId} and d.repository_id = f.repository_id and d.fingerprint = s.fingerprint`.execute(
    tx.db,
  );
  const more = new Map(rows.map((row) => [row.id, row]));
  return findings.map(({ unread: _, ...finding }) => {
    const { rule_id, message, commit_sha, is_new, reason } = more.get(finding.id) ?? {};
    return {
      ...finding,
      ruleId: rule_id ?? finding.title,
      message: message ?? '',
      commit: commit_sha ?? null,
      isNew: is_new ?? false,
      reason: reason || null,
    };
  });
}
