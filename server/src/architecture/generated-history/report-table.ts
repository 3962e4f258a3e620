import type { Rules } from '@sightline/sandbox/git/model.ts';
import { members, newMember, secondAccounts } from '@sightline/sandbox/planted/people.ts';
import { requiredCheck } from '@sightline/sandbox/planted/required-check.ts';
import { requiredApp } from '@sightline/sandbox/planted/table/check-rows.ts';
import type { TableScenario } from '@sightline/sandbox/planted/table/create-table-scenario.ts';
import type { ProtectionPhase } from '@sightline/sandbox/planted/table/scenario-row.ts';
import { phaseOf } from '@sightline/sandbox/planted/table/scenario-table.ts';
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

const rulesOf: Readonly<Record<ProtectionPhase, Rules>> = {
  compliant: compliantRules,
  'no checks': { ...compliantRules, requiredChecks: [] },
  'checks of one app': { ...compliantRules, checkApps: { [requiredCheck]: requiredApp } },
};

/** Reports all changes of a table, each while the branch has the protection of its row. */
export async function reportTable(history: GeneratedHistory, { rows }: TableScenario): Promise<void> {
  let phase: ProtectionPhase = 'compliant';
  while (history.reportedCount < rows.length) {
    const rest = rows.slice(history.reportedCount);
    const next: ProtectionPhase = rest[0] === undefined ? phase : phaseOf(rest[0]);
    const end = rest.findIndex((row) => phaseOf(row) !== next);
    const count = end < 0 ? rest.length : end;
    if (next !== phase) await setProtectionBefore(history, rulesOf[next], count);
    phase = next;
    await reportChanges(history, count);
  }
  if (phase !== 'compliant') await setProtection(history, compliantRules);
}

/** Sets the protection for the next changes, and waits until their steps, one per second, follow all readings before. */
async function setProtectionBefore(history: GeneratedHistory, rules: Rules, count: number): Promise<void> {
  const [last] = await history.selectRows<{ at: Date }>(
    'select max(captured_at) as at from protection_snapshot where org_id = $1',
  );
  await setProtection(history, rules);
  const steps = history.repositoryScenario.changes
    .slice(history.reportedCount, history.reportedCount + count)
    .reduce((sum, change) => sum + (change.kind === 'merge' ? change.steps.length : 1), 1);
  await waitFor(async () => expect(Date.now()).toBeGreaterThan(Number(last?.at ?? 0) + steps * 1_000));
}
