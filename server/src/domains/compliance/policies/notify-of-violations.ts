import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { isArchived } from '#core/archived.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import type { ActivePolicy } from './effective.ts';
import { activePolicies } from './queries.ts';
import { controlsOf } from './status.ts';
import { toolIdFrom } from './tool-decisions.ts';

interface Violation {
  subject: string;
  repository_id: string | null;
  full_name: string | null;
  /** Start of the applied setting; null for the defaults. */
  since: Date | null;
}

/**
 * Notifies once of each violation of a policy in warn or enforce mode. Violations that precede the policy are only
 * recorded.
 */
export const notifyOfViolations = ({ database, jobs }: Services, orgId: string, runId: string): Promise<void> =>
  database.withOrg(orgId, async (tx) => {
    if (await isArchived(tx, orgId)) return;
    const run = await tx.db
      .selectFrom('control_run')
      .select(['control_id', 'rows_of'])
      .where('org_id', '=', orgId)
      .where('id', '=', runId)
      .executeTakeFirst();
    if (!run?.rows_of) return;
    const control = run.control_id as ControlId;
    const active = await activePolicies(tx, orgId);
    const warning = active.filter((policy) => policy.mode !== 'observe' && controlsOf(policy).includes(control));
    if (warning.length === 0) return;
    const violations = await violationsIn(tx, orgId, run.rows_of, control);
    const notices = [];
    for (const policy of warning) {
      const rows = violations.filter((row) => appliesTo(policy, row));
      const fresh = await recordNew(tx, orgId, { activePolicy: policy, control, rows });
      const [first] = fresh;
      if (!first) continue;
      const { subject, repository_id: id, full_name: name } = first;
      notices.push({
        type: 'policy.violated' as const,
        rows: fresh.length,
        subject,
        control,
        policy: { id: policy.id, name: policy.name },
        repository: id === null || name === null ? null : { id, name },
      });
    }
    await raiseNotifications({ jobs }, tx, orgId, { actor: { clock: true }, notifications: notices });
  });

const violationsIn = (tx: Tx, orgId: string, runId: string, control: ControlId): Promise<Violation[]> =>
  tx.query<Violation>({
    name: 'policies.broken',
    text: `select r.subject, r.repository_id, p.full_name, s.valid_from as since from control_row r
           left join repository p on p.org_id = $1 and p.id = r.repository_id
           left join control_setting s on s.org_id = $1 and s.control_id = $3 and s.version = r.setting
           where r.org_id = $1 and r.run_id = $2 and r.verdict = 'fail' order by r.ord desc`,
    values: [orgId, runId, control],
  });

function appliesTo({ scope }: ActivePolicy, { subject, repository_id }: Violation): boolean {
  if (scope.tools.length > 0) return scope.tools.some(({ id }) => id === toolIdFrom(subject));
  return scope.repositories === null || (repository_id !== null && scope.repositories.includes(repository_id));
}

/**
 * Returns the items without an earlier notification. In the first run of a policy, this excludes items that were
 * evaluated with older settings.
 */
async function recordNew(
  tx: Tx,
  orgId: string,
  {
    activePolicy: { id, from },
    control,
    rows,
  }: { activePolicy: ActivePolicy & { from: string }; control: ControlId; rows: readonly Violation[] },
): Promise<Violation[]> {
  const inserted = await tx.query<{ subject: string }>({
    name: 'policies.recordNotifications',
    text: `insert into policy_notification (org_id, policy_id, control_id, subject)
           select $1, $2, $3, s.subject from unnest($4::text[]) as s(subject)
           on conflict do nothing returning subject`,
    values: [orgId, id, control, ['', ...rows.map(({ subject }) => subject)]],
  });
  const fresh = new Set(inserted.map(({ subject }) => subject));
  const isFirst = fresh.has('');
  return rows.filter(
    ({ subject, since }) => fresh.has(subject) && (!isFirst || (since !== null && since >= new Date(from))),
  );
}
