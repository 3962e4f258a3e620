import type { Tool, ToolApproval } from '@sightline/contract/tools/tools.ts';
import { matchesPattern } from '@sightline/evidence/controls/scope.ts';
import type { LedgerSize } from '#core/ledger-size.ts';
import { isRecordedSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';

type Approval = Tool['approval'];

/** The decisions of active policies on tools. */
export interface ToolApprovals {
  /**
   * The approval of a tool, as evaluated by TOL-01: a denial takes precedence over an approval; versions without a
   * decision are not reviewed.
   */
  of: (tool: { id: string; version: string | null; firstSeen: string }) => Approval;
  /** IDs of the tools with a decision. */
  named: readonly string[];
}

interface ToolPolicy {
  [column: string]: unknown;
  id: string;
  name: string;
  version: number;
  kind: 'tool-allow' | 'tool-deny';
  from: Date;
  scope: { tools: readonly { id: string; versions: string[] | null }[] };
}

interface ApprovalDecision extends Approval {
  state: 'approved' | 'denied';
}

/** The decisions of the policies that are active now, or were at a ledger size. */
export async function loadToolApprovals(tx: Tx, orgId: string, size?: LedgerSize): Promise<ToolApprovals> {
  const decisions = new Map<string, ApprovalDecision[]>();
  const at = { fact: 'p', epoch: '$2', size: '$3' };
  const policies = await tx.query<ToolPolicy>({
    name: size ? 'tools.policies-at-size' : 'tools.policies',
    text: `select p.id, p.name, p.version, p.kind, p.valid_from as "from", p.scope from policy p
           where p.org_id = $1 and p.kind in ('tool-allow', 'tool-deny')
             and ${size ? `${isRecordedSql(at)} and not ${isRecordedSql({ ...at, entry: 'ended_entry_id' })}` : 'p.valid_until is null'}
           order by p.id`,
    values: [orgId, ...(size ? [size.epoch, size.size] : [])],
  });
  for (const { id, name, version, kind, from, scope } of policies) {
    const state = kind === 'tool-allow' ? 'approved' : 'denied';
    for (const { id: toolId, versions } of scope.tools) {
      const one: ApprovalDecision = { state, since: from.toISOString(), versions, policy: { id, name, version } };
      decisions.set(toolId, [...(decisions.get(toolId) ?? []), one]);
    }
  }
  return {
    named: [...decisions.keys()],
    of({ id, version, firstSeen }) {
      const applicable = (decisions.get(id) ?? []).filter((one) => appliesTo(one, version));
      const decision = applicable.find(({ state }) => state === 'denied') ?? applicable[0];
      return decision ?? { state: 'unreviewed', since: firstSeen, versions: null, policy: null };
    },
  };
}

// To an unknown version, only a decision on all versions applies.
const appliesTo = ({ versions }: ApprovalDecision, version: string | null): boolean =>
  versions === null || (version !== null && versions.some((pattern) => matchesPattern(pattern, version)));

/**
 * Returns the tools with the given approval states: undefined for all tools, else those with these IDs, or all others.
 * Uses the version that was last detected in the organization.
 */
export async function toolsWithApproval(
  tx: Tx,
  orgId: string,
  states: readonly ToolApproval[],
): Promise<{ ids: readonly string[]; isWithout: boolean } | undefined> {
  if (states.length === 0) return undefined;
  const approvals = await loadToolApprovals(tx, orgId);
  const rows = await tx.query<{ id: string; version: string | null }>({
    name: 'tools.decided',
    text: 'select distinct on (id) id, version from tool where org_id = $1 and id = any($2::text[]) order by id, last_seen desc',
    values: [orgId, approvals.named],
  });
  const isSelected = (id: string, version: string | null) =>
    states.includes(approvals.of({ id, version, firstSeen: '' }).state);
  const isWithout = states.includes('unreviewed');
  return {
    isWithout,
    ids: rows.filter(({ id, version }) => isSelected(id, version) !== isWithout).map(({ id }) => id),
  };
}
