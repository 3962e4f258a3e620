import type { GithubInstallation, getGithubStatus } from '@sightline/contract/sources/github.ts';
import type { z } from 'zod';
import type { GithubConfig } from '#config.ts';
import type { Tx } from '#database/database.ts';
import { listInstallations } from '../installations/queries.ts';
import { isWaitingForApproval } from './install-state.ts';

export type GithubStatus = z.infer<typeof getGithubStatus.response>;

/** The status of the GitHub app in the organization: active if at least one installation works. */
export async function githubStatus(tx: Tx, orgId: string, config: GithubConfig | undefined): Promise<GithubStatus> {
  const installations = await tx.db
    .selectFrom('installation')
    .where('org_id', '=', orgId)
    .where('provider', '=', 'github')
    .where('deleted_at', 'is', null)
    .select(['account_login', 'html_url', 'suspended_at'])
    .orderBy('created_at')
    .orderBy('installation_id')
    .execute();
  const working = installations.filter((installation) => installation.suspended_at === null);
  const shown = working[0] ?? installations[0];
  return {
    active: config !== undefined && working.length > 0,
    settingsURL: shown?.html_url ?? null,
    state: config === undefined ? 'not_configured' : await stateOf(tx, orgId, installations.length, working.length),
    accounts: installations.map((installation) => installation.account_login),
    sandbox: config?.sandbox ?? false,
  };
}

async function stateOf(tx: Tx, orgId: string, all: number, working: number): Promise<GithubStatus['state']> {
  if (working > 0) return 'active';
  if (all > 0) return 'suspended';
  return (await isWaitingForApproval(tx, orgId)) ? 'waiting_for_approval' : 'not_connected';
}

/** The connected accounts, sorted by name. */
export async function listGithubAccounts(tx: Tx, orgId: string): Promise<GithubInstallation[]> {
  const rows = await listInstallations(tx, orgId, 'github');
  return rows.map((row) => ({
    id: row.installation_id,
    account: row.account_login,
    settingsURL: row.html_url,
    connectedAt: row.created_at.toISOString(),
    suspendedAt: row.suspended_at?.toISOString() ?? null,
    repositories: row.repositories,
  }));
}

/** The organization that an active or suspended installation is bound to, across all organizations. */
export async function maybeOrgOfInstallation(tx: Tx, installationId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ org: string | null }>({
    name: 'github.org',
    text: `select org_of_installation('github', $1) as org`,
    values: [installationId],
  });
  return row?.org ?? undefined;
}
