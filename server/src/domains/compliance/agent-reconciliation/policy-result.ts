import type { ChangeAgents } from '@sightline/contract/compliance/agent-reconciliation.ts';
import type { PolicyMode } from '@sightline/contract/compliance/policies.ts';
import { controls } from '@sightline/evidence/controls/control-list.ts';
import { settingFrom } from '@sightline/evidence/controls/parameters.ts';
import { explainReason } from '@sightline/evidence/controls/reasons.ts';
import { runControl } from '@sightline/evidence/controls/run.ts';
import type { ApprovedWaiver } from '@sightline/evidence/controls/waivers.ts';
import type { Tx } from '#database/database.ts';
import type { ChangeParts } from '../changes/queries.ts';
import { agentChangeRow, type RecordRow } from '../changes/rows.ts';

const control = controls['AI-01'];

/**
 * Evaluates the latest record of a change by the agent policy of its time, with the waivers of now. Null if the policy
 * does not concern the change, such as one without agents.
 */
export async function findPolicyResult(tx: Tx, orgId: string, changeId: string): Promise<ChangeAgents['policy']> {
  const row = await findRow(tx, orgId, changeId);
  if (!row) return null;
  const settings = await settingsAt(tx, orgId, row.merged_at);
  const item = { ...agentChangeRow(row), waivers: await waiversOf(tx, orgId, `change:${changeId}`) };
  const [evaluated] = runControl(control, [item], settings, []).rows;
  if (!evaluated) return null;
  const { verdict, reasons, setting: version } = evaluated;
  const applied = settings.find((one) => one.version === version);
  const { agents, models, mcpServers, approvals, unreviewedLines, protectedPaths } = settingFrom(
    control.parameters,
    applied?.setting ?? {},
  );
  return {
    verdict,
    explanations: reasons.flatMap((reason) => explainReason(reason) ?? []),
    policy: applied?.policy ?? null,
    rules: {
      agents: [...agents],
      models: [...models],
      mcpServers: [...mcpServers],
      approvals,
      unreviewedLines,
      protectedPaths: [...protectedPaths],
    },
  };
}

async function findRow({ db }: Tx, orgId: string, changeId: string): Promise<RecordRow | undefined> {
  const row = await db
    .selectFrom('change_record')
    .where('org_id', '=', orgId)
    .where('id', '=', changeId)
    .orderBy('version', 'desc')
    .limit(1)
    .select(['id', 'repository_id', 'branch', 'is_default_branch', 'merge_method', 'merged_at', 'parts'])
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      repository_id: row.repository_id,
      branch: row.branch,
      is_default_branch: row.is_default_branch,
      mergeMethod: row.merge_method as RecordRow['mergeMethod'],
      merged_at: row.merged_at,
      parts: row.parts as unknown as ChangeParts,
      protection_id: null,
      leaf: null,
    }
  );
}

/** The settings in force at a time, with the policy of each; null if several are combined. */
async function settingsAt(tx: Tx, orgId: string, at: Date) {
  const rows = await tx.query<{
    version: number;
    setting: Record<string, unknown>;
    repositories: string[] | null;
    from: Date;
    until: Date | null;
    policyId: string | null;
    name: string | null;
    mode: PolicyMode | null;
    policyVersion: number | null;
  }>({
    name: 'reconciliation.settings',
    text: `select s.version, s.setting, s.repositories, s.valid_from as "from", s.valid_until as until, s.policy_id as "policyId",
             s.policy_version as "policyVersion", p.name, p.mode
           from control_setting s left join policy p on p.org_id = $1 and p.id = s.policy_id and p.version = s.policy_version
           where s.org_id = $1 and s.control_id = 'AI-01' and s.valid_from <= $2 and (s.valid_until is null or s.valid_until > $2)
           order by s.version`,
    values: [orgId, at],
  });
  return rows.map(({ version, setting, repositories, from, until, policyId, policyVersion, name, mode }) => ({
    version,
    from: from.toISOString(),
    until: until?.toISOString() ?? null,
    repositories,
    setting: settingFrom(control.parameters, setting),
    policy:
      policyId === null || policyVersion === null || name === null || mode === null
        ? null
        : { id: policyId, version: policyVersion, name, mode },
  }));
}

async function waiversOf(tx: Tx, orgId: string, subject: string): Promise<ApprovedWaiver[]> {
  const rows = await tx.query<{
    id: string;
    requestedBy: string;
    decidedBy: string;
    decidedAt: Date;
    from: Date;
    until: Date;
  }>({
    name: 'reconciliation.waivers',
    text: `select id, requested_by as "requestedBy", decided_by as "decidedBy", decided_at as "decidedAt", valid_from as "from", valid_until as until
           from control_waiver where org_id = $1 and control_id = 'AI-01' and subject = $2 and decision = 'approved' order by id`,
    values: [orgId, subject],
  });
  return rows.map(({ decidedAt, from, until, ...row }) => ({
    ...row,
    decidedAt: decidedAt.toISOString(),
    from: from.toISOString(),
    until: until.toISOString(),
  }));
}
