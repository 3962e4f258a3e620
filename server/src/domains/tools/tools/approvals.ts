import type { Tool, ToolApproval } from '@sightline/contract/tools/tools.ts';
import { matches } from '@sightline/evidence/controls/scope.ts';
import type { Tx } from '#database/database.ts';

type Approval = Tool['approval'];

/** What the policies that hold say of tools. */
export interface Approvals {
  /** Of a tool as TOL-01 judges it: a denial decides before an approval, and versions that no decision names are not reviewed. */
  of: (tool: { id: string; version: string | null; firstSeen: string }) => Approval;
  /** The tools that any of them names. */
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

export async function approvalsOf(tx: Tx, orgId: string): Promise<Approvals> {
  const decisions = new Map<string, ApprovalDecision[]>();
  const policies = await tx.query<ToolPolicy>({
    name: 'tools.policies',
    text: `select id, name, version, kind, valid_from as "from", scope from policy
           where org_id = $1 and valid_until is null and kind in ('tool-allow', 'tool-deny') order by id`,
    values: [orgId],
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
      const speaking = (decisions.get(id) ?? []).filter((one) => speaksOf(one, version));
      const decided = speaking.find(({ state }) => state === 'denied') ?? speaking[0];
      return decided ?? { state: 'unreviewed', since: firstSeen, versions: null, policy: null };
    },
  };
}

// Of a version nobody knows, only a decision about all of them speaks.
const speaksOf = ({ versions }: ApprovalDecision, version: string | null): boolean =>
  versions === null || (version !== null && versions.some((pattern) => matches(pattern, version)));

/**
 * Which tools some states leave: undefined where that is every tool, else those with these ids, or all but those. By the version
 * that was seen last in the organization.
 */
export async function toolsIn(
  tx: Tx,
  orgId: string,
  states: readonly ToolApproval[],
): Promise<{ ids: readonly string[]; isWithout: boolean } | undefined> {
  if (states.length === 0) return undefined;
  const approvals = await approvalsOf(tx, orgId);
  const rows = await tx.query<{ id: string; version: string | null }>({
    name: 'tools.named',
    text: 'select distinct on (id) id, version from tool where org_id = $1 and id = any($2::text[]) order by id, last_seen desc',
    values: [orgId, approvals.named],
  });
  const wanted = (id: string, version: string | null) =>
    states.includes(approvals.of({ id, version, firstSeen: '' }).state);
  const isWithout = states.includes('unreviewed');
  return { isWithout, ids: rows.filter(({ id, version }) => wanted(id, version) !== isWithout).map(({ id }) => id) };
}
