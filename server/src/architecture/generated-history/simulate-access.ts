import type { ExpectedVerdict } from '@sightline/sandbox/planted/answer-key.ts';
import { accessAt, accessRows } from '@sightline/sandbox/planted/table/access-rows.ts';
import pg from 'pg';
import { superuserUrl } from '#testing/server.ts';
import { storeAccess } from '../../domains/sources/host-access/commands.ts';
import { dateOf, dayMs, type GeneratedHistory } from './generated-history.ts';

/** Days ago at which readings begin and end, and the days without them. */
const [begin, end] = [8, 2];
const gap = { from: 7, to: 6 };
const hoursBetweenReadings = 6;

/** A period with all readings, and one with a gap of more than a day. */
export const accessPeriods = () => ({
  complete: periodOf(5, 4),
  gap: periodOf(gap.from, gap.to),
});

const periodOf = (from: number, to: number): string =>
  `${dateOf(Date.now() - from * dayMs)}..${dateOf(Date.now() - to * dayMs)}`;

/**
 * Simulates past access to the repository. The host is queried now, and only the recorded time is changed. Earlier
 * readings are moved before the first one.
 */
export async function simulateAccess(history: GeneratedHistory): Promise<void> {
  const { codeHost, hosted, on, server, org, repositoryId } = history;
  await moveReadingsBack(history);
  const found = await server.services.recordedBranches(org.id, repositoryId);
  const { host, ref } = found?.place ?? {};
  const [branch = ''] = found?.branches ?? [];
  if (!host?.evidence?.accessOf || !ref) throw new Error('The host reports no access.');
  const loginOf = ({ email }: { email: string }) => codeHost.sandbox.sandbox.host.users.byEmail.get(email)?.login ?? '';
  const { planted } = hosted.git;
  const before = planted.access;
  for (let hours = begin * 24; hours > end * 24; hours -= hoursBetweenReadings) {
    const [day, hour] = [Math.ceil(hours / 24), (24 - (hours % 24)) % 24];
    const isSkipped = day === gap.from ? hour > 0 : day === gap.to && hour < 18;
    if (isSkipped) continue;
    planted.access = accessAt(hour, loginOf);
    const access = await host.evidence.accessOf(ref, branch);
    const capturedAt = new Date(Date.parse(`${dateOf(Date.now() - day * dayMs)}T00:00:00.000Z`) + hour * 3_600_000);
    const reading = {
      repositoryId,
      provider: on,
      capturedAt: capturedAt.toISOString(),
      trigger: 'poll',
      access,
    } as const;
    await server.services.database.withOrg(org.id, (tx) => storeAccess(server.services, tx, org.id, reading));
  }
  planted.access = before;
}

async function moveReadingsBack({ server, org }: GeneratedHistory): Promise<void> {
  const superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  for (const [table, column] of [
    ['access_reading', 'captured_at'],
    ['access_change', 'at'],
  ])
    await superuser.query(`update ${table} set ${column} = ${column} - interval '30 days' where org_id = $1`, [org.id]);
  await superuser.end();
}

/** The expected results of ACC-01, sorted by subject. */
export const expectedAccess = ({ codeHost }: GeneratedHistory, isAfterGap: boolean): ExpectedVerdict[] =>
  accessRows
    .flatMap(({ person, expected, afterGap }) => {
      const cell = isAfterGap ? afterGap : expected;
      if (cell === null) return [];
      const user = codeHost.sandbox.sandbox.host.users.byEmail.get(person.email);
      const [verdict, ...reasons] = cell.split(' ');
      return {
        subject: user ? codeHost.identityValueOf(user) : person.email,
        control: 'ACC-01',
        verdict: verdict as ExpectedVerdict['verdict'],
        reasons: reasons.toSorted(),
      };
    })
    .toSorted((one, other) => (one.subject < other.subject ? -1 : 1));
