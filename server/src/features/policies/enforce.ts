import type { ControlId, Verdict } from '@sightline/contract/controls.ts';
import type { Parameters, SettingOf } from '@sightline/evidence/controls/parameters.ts';
import { runControl } from '@sightline/evidence/controls/run.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { HostLimited, HostRefused, type HostStatus } from '#providers/code-host.ts';
import { type OpenChange, readOpenChange } from '../changes/commands.ts';
import { controlOf } from '../controls/catalogue.ts';
import { type Effective, effectiveOf } from './effective.ts';
import { heldPolicies } from './queries.ts';

/** What the status is called on code hosts: names stay for ever, since protections of branches require it. */
const statusName = 'sightline/policy';

/** Sets the status of an open pull request by the policies that are enforced, where any is about it. Throws HostLimited. */
export async function enforce(
  services: Services,
  { orgId, repositoryId, number }: { orgId: string; repositoryId: string; number: number },
): Promise<void> {
  const { withOrg } = services.database;
  const enforced = await withOrg(orgId, async (tx) =>
    effectiveOf((await heldPolicies(tx, orgId)).filter(({ mode }) => mode === 'enforce')),
  );
  const concerning = (control: ControlId) => {
    const of = enforced.filter((one) => one.control === control);
    return (
      of.find(({ repositories }) => repositories?.includes(repositoryId)) ?? of.find((one) => one.repositories === null)
    );
  };
  if (enforced.length === 0) return;
  const open = await readOpenChange(services, orgId, repositoryId, number, statusName);
  if (!open?.say) return;
  const judged = (Object.keys(open.rows) as ControlId[]).flatMap((control) => {
    const verdict = verdictOf(open, control, concerning(control));
    return verdict === undefined ? [] : [{ control, verdict }];
  });
  if (judged.length === 0) return;
  const url = new URL('/policies', services.config.PUBLIC_URL).href;
  try {
    await open.say({ ...statusOf(judged), context: statusName, url });
  } catch (error) {
    // Another try changes nothing: the permission to set statuses is missing.
    if (error instanceof HostLimited || !(error instanceof HostRefused)) throw error;
    services.log.warn({ orgId, repositoryId, status: error.status }, 'a code host refused the status of a policy');
  }
}

/** Undefined where the control is not enforced there, or does not speak of the branch. */
function verdictOf(open: OpenChange, control: ControlId, effective: Effective | undefined): Verdict | undefined {
  const row = open.rows[control];
  if (!row || !effective) return undefined;
  const setting = effective.setting as SettingOf<Parameters>;
  const version = { version: 1, from: '1970-01-01T00:00:00.000Z', until: null, repositories: null, setting };
  return runControl(controlOf(control), [row], [version], []).rows[0]?.verdict;
}

/** Fails where one is broken, and waits where a fact is missing: what is not known never passes. */
function statusOf(
  judged: readonly { control: ControlId; verdict: Verdict }[],
): Pick<HostStatus, 'state' | 'description'> {
  const having = (verdict: Verdict) => judged.filter((one) => one.verdict === verdict).map(({ control }) => control);
  const [broken, open] = [having('exception'), having('gap')];
  if (broken.length > 0) return { state: 'failure', description: `Not kept: ${broken.join(', ')}` };
  if (open.length > 0) return { state: 'pending', description: `Not known yet: ${open.join(', ')}` };
  return { state: 'success', description: `Kept: ${judged.map(({ control }) => control).join(', ')}` };
}

/** Open pull requests that were touched lately, of an organisation that enforces anything. */
export async function openOf(tx: Tx, orgId: string): Promise<{ repositoryId: string; number: number }[]> {
  if (!(await enforces(tx, orgId))) return [];
  const rows = await tx.db
    .selectFrom('pull_request as p')
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'p.org_id').onRef('r.id', '=', 'p.repository_id'),
    )
    .where('p.org_id', '=', orgId)
    .where('r.tracked', '=', true)
    .where('p.status', '=', 'in-progress')
    .select(['p.repository_id', 'p.number'])
    .orderBy('p.updated_at', 'desc')
    .limit(500)
    .execute();
  return rows.map((row) => ({ repositoryId: row.repository_id, number: row.number }));
}

/** Whether any policy is enforced. */
export async function enforces({ db }: Tx, orgId: string): Promise<boolean> {
  const found = await db
    .selectFrom('policy')
    .select('id')
    .where('org_id', '=', orgId)
    .where('valid_until', 'is', null)
    .where('mode', '=', 'enforce')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
