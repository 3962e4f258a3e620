import { type CopilotUsage, type CopilotUsageQuery, copilotCounts } from '@sightline/contract/tools/copilot-usage.ts';
import type { Actor } from '#core/actor.ts';
import { type ExportColumns, exportTextOf, recordExport } from '#core/exports.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { findUsage } from './queries.ts';

type Day = CopilotUsage['days'][number];

/** Exports the days of a period as CSV, and records the export. A count that GitHub did not report is empty. */
export async function exportUsage(services: Services, actor: Actor, query: CopilotUsageQuery): Promise<FileAnswer> {
  const { orgId } = actor;
  return services.database.withOrg(orgId, async (tx) => {
    const { days } = await findUsage(tx, actor, query);
    const fileOf = await recordExport(tx, services, actor, {
      of: 'copilot-usage',
      format: 'csv',
      entry: {
        action: 'copilot_usage.exported',
        subject: { kind: 'organization', id: orgId },
        data: { rows: days.length, ...(query.period !== undefined && { period: query.period }) },
      },
    });
    return fileOf(exportTextOf('csv', columns, batchOf(days)), days.length);
  });
}

async function* batchOf(days: Day[]): AsyncGenerator<Day[]> {
  yield days;
}

const columns: ExportColumns<Day> = {
  day: ({ day }) => day,
  ...Object.fromEntries(
    copilotCounts.map((count) => [
      count.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
      ({ counts }: Day) => counts[count]?.toString() ?? '',
    ]),
  ),
  rejected: ({ rejected }) => String(rejected),
  'ledger entry': ({ entryId }) => entryId,
};
