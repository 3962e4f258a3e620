import { isArchived } from '#core/archived.ts';
import { failureReason } from '#core/failure-reason.ts';
import type { Outbound } from '#core/outbound.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { HostLimited, HostRefused } from '#providers/code-host.ts';
import type { HostCopilot } from '#providers/host-copilot.ts';
import { type CopilotPlace, queueCopilotReading, type SourceState, saveSource, storeDay } from './commands.ts';

const DAY_MS = 86_400_000;
/** The days that every reading covers: GitHub may offer the report of a day some days later. */
const RECENT_DAYS = 28;
/** GitHub offers reports of one year. */
const MAX_DAYS = 365;
const MAX_FAILURES = 3;
const RETRY_MS = 60 * 60_000;

interface Scene {
  organization: string;
  /** The days to read, oldest first. */
  days: string[];
  /** Whether any day is stored. */
  hasDays: boolean;
}

/** Reads the missing reports of an installation. Repeating it reads only what is still missing. */
export async function readReports(services: Services, place: CopilotPlace): Promise<void> {
  const { database, codeHosts, outboundFor } = services;
  const { orgId, installationId } = place;
  const scene = await database.withOrg(orgId, (tx) => findScene(tx, place));
  const host = scene && (await codeHosts.maybe(orgId, 'github', installationId));
  if (!scene || !host?.copilot) return;
  const result = await readDays(services, place, scene, {
    copilot: host.copilot,
    outbound: outboundFor(orgId, 'code-host'),
  });
  await database.withOrg(orgId, async (tx) => {
    await saveSource(services, tx, place, result);
    if (result.retryAt) await queueCopilotReading(services, tx, place, result.retryAt);
  });
}

type ReadingResult = SourceState & { retryAt?: Date };

async function readDays(
  services: Services,
  place: CopilotPlace,
  { organization, days, hasDays }: Scene,
  { copilot, outbound }: { copilot: HostCopilot; outbound: Outbound },
): Promise<ReadingResult> {
  const { orgId, installationId } = place;
  let found = hasDays;
  let readThrough: string | undefined;
  // GitHub answers the same until it corrects the report, so that the next daily reading repeats it.
  let unclear: string | undefined;
  const failures: unknown[] = [];
  for (const day of days) {
    const reading = await copilot
      .readDay({ installationId, organization, outbound }, day)
      .catch((error: unknown) => ({ error }));
    if (reading && 'error' in reading) {
      failures.push(reading.error);
      if (endsReading(reading.error) || failures.length === MAX_FAILURES) break;
      continue;
    }
    if (reading?.report) {
      const { report, rejected } = reading;
      await services.database.withOrg(orgId, (tx) => storeDay(services, tx, place, { day, report, rejected }));
      found = true;
    } else if (reading) {
      unclear ??= `No record of the Copilot report of ${day} was understood (${reading.rejected} rejected)`;
    }
    if (failures.length === 0) readThrough = day;
  }
  if (failures.length > 0) return { ...failureOf(services, place, failures), readThrough };
  if (unclear !== undefined) return { state: 'failed', reason: unclear, readThrough };
  return { state: found ? 'read' : 'no_reports', reason: null, readThrough };
}

const isRefusal = (error: unknown): boolean => error instanceof HostRefused && error.status === 403;
const endsReading = (error: unknown): boolean => error instanceof HostLimited || isRefusal(error);

/** The state after failures: of the one that ended the reading, otherwise of the first. */
function failureOf(services: Services, place: CopilotPlace, failures: readonly unknown[]): ReadingResult {
  const limit = failures.find((error) => error instanceof HostLimited);
  if (limit) return { state: 'limited', reason: limit.message, retryAt: limit.until };
  const refusal = failures.find(isRefusal);
  const reason = failureReason(services, 'the reading of Copilot usage', place, refusal ?? failures[0]);
  return refusal === undefined
    ? { state: 'failed', reason, retryAt: new Date(Date.now() + RETRY_MS) }
    : { state: 'not_permitted', reason };
}

/** The days without a stored report until yesterday (UTC): the recent ones, and those since the last full reading. */
async function findScene(tx: Tx, { orgId, installationId }: CopilotPlace): Promise<Scene | undefined> {
  if (await isArchived(tx, orgId)) return undefined;
  const [row] = await tx.query<{ account: string; through: string | null }>({
    name: 'copilot.place',
    text: `select i.account_login as account, s.read_through::text as through
           from installation i
           left join copilot_source s on s.org_id = i.org_id and s.installation_id = i.installation_id
           where i.org_id = $1 and i.provider = 'github' and i.installation_id = $2
             and i.deleted_at is null and i.suspended_at is null`,
    values: [orgId, installationId],
  });
  if (!row) return undefined;
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const sinceLast = row.through === null ? today : Date.parse(row.through) + DAY_MS;
  const first = Math.max(Math.min(today - RECENT_DAYS * DAY_MS, sinceLast), today - MAX_DAYS * DAY_MS);
  const stored = await tx.query<{ day: string }>({
    name: 'copilot.stored-days',
    text: 'select day::text as day from copilot_day where org_id = $1 and installation_id = $2',
    values: [orgId, installationId],
  });
  const known = new Set(stored.map(({ day }) => day));
  const days: string[] = [];
  for (let at = first; at < today; at += DAY_MS) days.push(new Date(at).toISOString().slice(0, 10));
  return { organization: row.account, days: days.filter((day) => !known.has(day)), hasDays: known.size > 0 };
}
