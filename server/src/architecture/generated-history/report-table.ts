import { createPolicy } from '@sightline/contract/compliance/policies.ts';
import { decidePolicyChange } from '@sightline/contract/compliance/policy-changes.ts';
import { enableRepositories } from '@sightline/contract/sources/repositories.ts';
import { connectTracker as connectEndpoint, disconnectTracker } from '@sightline/contract/sources/trackers.ts';
import type { Rules } from '@sightline/sandbox/git/model.ts';
import { members, newMember, secondAccounts } from '@sightline/sandbox/planted/people.ts';
import { requiredCheck } from '@sightline/sandbox/planted/required-check.ts';
import { requiredApp, trackerTickets } from '@sightline/sandbox/planted/table/check-rows.ts';
import type { TableScenario } from '@sightline/sandbox/planted/table/create-table-scenario.ts';
import type { RowPhase } from '@sightline/sandbox/planted/table/scenario-row.ts';
import { phaseOf } from '@sightline/sandbox/planted/table/scenario-table.ts';
import { siteEmail, tokenOf } from '@sightline/sandbox/trackers/site.ts';
import pg from 'pg';
import { expect } from 'vitest';
import { newId } from '#core/ids.ts';
import { superuserUrl } from '#testing/server.ts';
import { recordExtensionSession } from '../../domains/tools/presence/commands.ts';
import { type GeneratedHistory, waitFor } from './generated-history.ts';
import { compliantRules, setProtection } from './protection.ts';
import { reportChanges } from './report-changes.ts';

// Made with ssh-keygen; the host knows the key of neither account.
const sharedSignature = `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAghn3Rdrkb60TDFhCdiseGPyhEyQ
mMOxdiFhheDCCQ/+MAAAADZ2l0AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1NTE5
AAAAQKJoKDZ3wO3u7Kglh8hGbeoFM/zEMadQ92i6fYp3vQcSab24/6l84/f1Oxjl1Gx8x/
7ejI+KmUmR/brvMOnMVgw=
-----END SSH SIGNATURE-----
`;

/** Makes accounts second ones of the author of the table, and one of them a member since minutes. */
export async function prepareTableMembers(
  { server, org, accounts, hosted, shas }: GeneratedHistory,
  signed: readonly number[],
) {
  const accountOf = (email: string | undefined) => accounts.get(email ?? '')?.id ?? '';
  const author = accountOf(members[0]?.email);
  const setAddress = (id: string, email: string) =>
    server.services.database.global(({ db }) =>
      db.updateTable('account').set({ email, email_verified_at: new Date() }).where('id', '=', id).execute(),
    );
  await setAddress(author, 'ada@example.org');
  await setAddress(accountOf(secondAccounts.address.email), 'Ada+second@example.org');
  const sessionId = newId();
  for (const accountId of [author, accountOf(secondAccounts.device.email)])
    await recordExtensionSession(
      server.services.database,
      { orgId: org.id, accountId, session: { side: 'browser', sessionId, type: 'chrome', version: '1.0.0' } },
      undefined,
    );
  for (const mark of signed) hosted.git.planted.signatures.set(shas.get(mark) ?? '', sharedSignature);
  const superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  await superuser.query(
    `update member_change set at = now() - interval '1 hour' where org_id = $1 and account_id = $2`,
    [org.id, accountOf(newMember.email)],
  );
  await superuser.end();
}

/** Connects Jira of the sandbox, with the tickets that the table names. */
async function connectTracker({ server, org, codeHost }: GeneratedHistory): Promise<() => Promise<void>> {
  const { sandbox, control } = codeHost.sandbox;
  const tracker = 'jira-cloud';
  const site = sandbox.trackers.get(tracker);
  if (!site) throw new Error('The sandbox has no issue tracker');
  const { moved, later, deleted, failing } = trackerTickets;
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  await control('trackers/ticket', { site: tracker, key: moved });
  await control('trackers/move', { site: tracker, key: moved, project: 'SEC' });
  await control('trackers/ticket', { site: tracker, key: later, createdAt: tomorrow });
  await control('trackers/ticket', { site: tracker, key: deleted });
  await control('trackers/delete', { site: tracker, key: deleted });
  await control('faults', { match: `/issue/${failing}`, status: 500, times: 1_000_000 });
  const call = server.as(org.owner, org.id);
  const params = { tracker } as const;
  const body = { baseURL: site.url(), email: siteEmail, token: tokenOf(site) };
  await call(connectEndpoint, { params, body });
  return async () => {
    await call(disconnectTracker, { params });
  };
}

/** Begins a phase, and returns how to end it. */
type BeginPhase = (history: GeneratedHistory) => Promise<() => Promise<void>>;

const withRules =
  (rules: Rules): BeginPhase =>
  async (history) => {
    await setProtection(history, rules);
    return () => setProtection(history, compliantRules);
  };

const phases: Readonly<Record<RowPhase, BeginPhase>> = {
  'issue tracker': connectTracker,
  compliant: async () => async () => undefined,
  'no checks': withRules({ ...compliantRules, requiredChecks: [] }),
  'checks of one app': withRules({ ...compliantRules, checkApps: { [requiredCheck]: requiredApp } }),
  async 'repository disabled'(history) {
    await setTracked(history, false);
    return async () => {
      await setTracked(history, true);
      await history.codeHost.redirectWebhooks(history.server);
    };
  },
  async 'exempted by a policy'(history) {
    await exemptAllBranches(history);
    return async () => undefined;
  },
};

/** Reports all changes of a table, each in the phase of its row. */
export async function reportTable(history: GeneratedHistory, { rows }: TableScenario): Promise<void> {
  while (history.reportedCount < rows.length) {
    const rest = rows.slice(history.reportedCount);
    const phase: RowPhase = rest[0] === undefined ? 'compliant' : phaseOf(rest[0]);
    const end = rest.findIndex((row) => phaseOf(row) !== phase);
    const count = end < 0 ? rest.length : end;
    const endPhase = await phases[phase](history);
    if (phase !== 'compliant') await waitForSteps(history, count);
    await reportChanges(history, count);
    await endPhase();
  }
}

const setTracked = ({ server, org, on, repositoryId }: GeneratedHistory, tracked: boolean) =>
  server.as(org.owner, org.id)(enableRepositories, {
    body: { providerRepos: { [on]: { acme: [{ id: repositoryId, tracked }] } } },
  });

/** An owner exempts every source branch from CHG-06, and another one approves that. */
async function exemptAllBranches({ server, org }: GeneratedHistory): Promise<void> {
  const { pendingChange } = await server.as(org.owner, org.id)(createPolicy, {
    body: {
      name: 'Tickets',
      kind: 'merge',
      mode: 'observe',
      scope: { repositories: null, branches: [], tools: [] },
      settings: { 'CHG-06': { exemptBranches: ['**'] } },
    },
  });
  const second = await server.make.member(org.id, 'rol_owner');
  await server.as(second, org.id)(decidePolicyChange, {
    params: { changeId: pendingChange?.id ?? '' },
    body: { approve: true, reason: 'Agreed in the weekly review.' },
  });
}

/** Waits until all steps of the next changes, one per second, can have happened since now. */
async function waitForSteps({ repositoryScenario, reportedCount }: GeneratedHistory, count: number): Promise<void> {
  const begun = Date.now();
  const steps = repositoryScenario.changes
    .slice(reportedCount, reportedCount + count)
    .reduce((sum, change) => sum + (change.kind === 'merge' ? change.steps.length : 1), 1);
  await waitFor(async () => expect(Date.now()).toBeGreaterThan(begun + steps * 1_000));
}
