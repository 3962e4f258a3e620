import { type AlertSource, alertSources } from '@sightline/contract/vulnerabilities/alert-imports.ts';
import { isArchived } from '#core/archived.ts';
import type { Services } from '#core/services.ts';
import type { HostAlert, HostRef } from '../../../providers/host-facts.ts';

/** An enabled GitHub repository whose alerts are imported. */
export interface AlertRepository {
  repositoryId: string;
  ref: HostRef;
  defaultBranch: string;
}

/** Undefined if the repository is not enabled or no longer accessible, and in an archived organization. */
export const maybeAlertRepository = (
  services: Services,
  orgId: string,
  repositoryId: string,
): Promise<AlertRepository | undefined> =>
  services.database.withOrg(orgId, async (tx) => {
    if (await isArchived(tx, orgId)) return undefined;
    const row = await tx.db
      .selectFrom('repository')
      .where('org_id', '=', orgId)
      .where('id', '=', repositoryId)
      .where('provider', '=', 'github')
      .where('tracked', '=', true)
      .where('removed_at', 'is', null)
      .select(['installation_id', 'owner', 'name', 'default_branch'])
      .executeTakeFirst();
    if (!row) return undefined;
    const { installation_id: installationId, owner, name, default_branch: defaultBranch } = row;
    return { repositoryId, ref: { installationId, owner, name }, defaultBranch };
  });

/** Returns the enabled alert sources of a code host. */
export async function enabledAlertSources(services: Services, orgId: string, provider: string): Promise<AlertSource[]> {
  const sources: AlertSource[] = [];
  if (provider !== 'github') return sources;
  for (const source of alertSources) if (await isAlertKindEnabled(services, orgId, source)) sources.push(source);
  return sources;
}

/** Whether feature flags enable this kind of alerts for the organization. */
export async function isAlertKindEnabled(services: Services, orgId: string, kind: HostAlert['kind']): Promise<boolean> {
  // A job has no actor; it uses the flags of an Account Owner.
  const owner = await services.database.withOrg(orgId, ({ db }) =>
    db
      .selectFrom('member')
      .where('org_id', '=', orgId)
      .where('role_id', '=', 'rol_owner')
      .where('status', '<>', 'deactivated')
      .orderBy('created_at')
      .orderBy('account_id')
      .select('account_id')
      .executeTakeFirst(),
  );
  const subject = owner && { orgId, accountId: owner.account_id };
  if (!(await services.flags.isOn('vulnerabilities', subject))) return false;
  return kind !== 'dependabot' || services.flags.isOn('dependabotInIntegrations', subject);
}
