import type { Day } from '@sightline/sandbox/planted/day-scenario.ts';
import { createDays } from '@sightline/sandbox/planted/days.ts';
import { readProtection, storeProtectionSnapshot } from '../../domains/sources/protection/commands.ts';
import { dateOf, dayMs, type GeneratedHistory } from './generated-history.ts';
import { backdateOrganization } from './members.ts';
import { setProtection } from './protection.ts';

/**
 * Simulates past days with the generated branch protection, and returns their expected verdicts. The host is queried
 * now, and only the recorded time is changed.
 */
export async function simulateProtectionDays(history: GeneratedHistory, count: number) {
  const { seed, on, server, org } = history;
  const days = createDays(seed, count, on).map((day, index) => ({
    ...day,
    date: dateOf(Date.now() - (count - index) * dayMs),
  }));
  await backdateOrganization(server, org.id, count + 1);
  await recordProtection(history, days);
  const expectedVerdicts = days.map(({ date, verdict, reasons }) => ({
    subject: `acme/widgets/main@${date}`,
    control: 'CHG-04',
    verdict,
    reasons: reasons.toSorted(),
  }));
  return { expectedVerdicts, period: `${days[0]?.date}..${days.at(-1)?.date}` };
}

async function recordProtection(history: GeneratedHistory, days: readonly (Day & { date: string })[]): Promise<void> {
  const { codeHost, on, server, org } = history;
  const readSnapshot = await createProtectionReader(history);
  let current: unknown;
  for (const { date, looks } of days) {
    for (const { hour, sees } of looks) {
      if (sees === 'forbidden') await codeHost.setProtectionReadable(false);
      else if (sees !== current) await setProtection(history, sees === 'unprotected' ? null : sees);
      if (sees !== 'forbidden') current = sees;
      const capturedAt = `${date}T${String(hour).padStart(2, '0')}:00:00.000Z`;
      const snapshot = { ...(await readSnapshot()), capturedAt };
      await server.services.database.withOrg(org.id, (tx) => storeProtectionSnapshot(tx, org.id, snapshot, on));
      if (sees === 'forbidden') await codeHost.setProtectionReadable(true);
    }
  }
}

async function createProtectionReader({ on, server, org, repositoryId, selectRows }: GeneratedHistory) {
  const [repository] = await selectRows<{ installationId: string; owner: string; name: string }>(
    'select installation_id as "installationId", owner, name from repository where org_id = $1 and tracked',
  );
  if (!repository) throw new Error('The organization has no enabled repository.');
  const codeHost = await server.services.codeHosts.maybe(org.id, on, repository.installationId);
  if (!codeHost) throw new Error('The host is not connected.');
  return async () => {
    const snapshot = await readProtection(codeHost, {
      ref: repository,
      repositoryId,
      branch: 'main',
      trigger: 'poll',
    });
    if (!snapshot) throw new Error('The host returned no branch protection.');
    return snapshot;
  };
}
