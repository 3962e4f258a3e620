import { Refusal } from '#core/errors.ts';
import { checkEvents } from '../domains/ledger/ledger/check/events.ts';
import { countExpiredEvents, expireEventsOf } from '../domains/timeline/events/retention.ts';
import { retentionStartOf } from '../domains/timeline/events/retention-start.ts';
import { archiveCutoff, archiveEventsOf } from '../domains/timeline/events/segments/archive-events.ts';
import { findArchiveStatus } from '../domains/timeline/events/segments/archive-status.ts';
import { restoreEvents } from '../domains/timeline/events/segments/restore-events.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
import { operatorActor } from './operator.ts';
import { findOrganization } from './organizations.ts';

export const deleteExpiredEvents = command({
  name: 'events delete-expired',
  description:
    'Deletes the events that are older than their retention period, also if they are most of an organization.',
  valueName: ['SLUG|ID'],
  options: {},
  run: ({ words: [given = ''] }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { id, name } = await findOrganization(services, ownerUrl, given);
      const cutoffs = retentionStartOf(services.config);
      const { expired } = await countExpiredEvents(services, id, cutoffs);
      await expireEventsOf(services, id, cutoffs);
      return {
        json: { organization: id, deleted: expired },
        lines: [`About ${expired} events of ${name} are deleted.`],
      };
    }),
});

const organizationWord = ['SLUG|ID'];

export const archiveStatus = command({
  name: 'events archive status',
  description: 'Shows the archive of an organization by month.',
  valueName: organizationWord,
  options: {},
  run: ({ words: [given = ''] }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { id, name } = await findOrganization(services, ownerUrl, given);
      const status = await findArchiveStatus(services, id);
      return {
        json: { organization: id, ...status },
        lines: [
          `${name} has ${status.rows} events in rows and ${status.events} archived ones in ${megabytesOf(status.bytes)} MB.`,
          ...status.months.map(
            ({ month, segments, events, bytes, isExternal }) =>
              `${month}: ${events} events in ${segments} segments, ${megabytesOf(bytes)} MB${isExternal ? ', outside the database' : ''}`,
          ),
        ],
      };
    }),
});

const megabytesOf = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

export const runArchive = command({
  name: 'events archive run',
  description: 'Archives the older events of an organization now, also those of months that are not complete.',
  valueName: organizationWord,
  options: { days: { valueName: 'DAYS', description: 'Another age in days than EVENT_ARCHIVE_AFTER_DAYS.' } },
  run: ({ words: [given = ''], options: { days } }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { id, name } = await findOrganization(services, ownerUrl, given);
      const cutoff = archiveCutoff(days === undefined ? services.config.EVENT_ARCHIVE_AFTER_DAYS : daysOf(days));
      if (!cutoff) throw new Refusal('validation_failed', 'EVENT_ARCHIVE_AFTER_DAYS is 0. Give the age with --days.');
      if (services.clickhouse)
        throw new Refusal('conflict', 'Events are not archived with CLICKHOUSE_URL, whose copy needs their rows.');
      const events = await archiveEventsOf(services, id, cutoff, 1);
      return { json: { organization: id, archived: events }, lines: [`${events} events of ${name} are archived.`] };
    }),
});

function daysOf(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= 36_500) return days;
  throw new Refusal('validation_failed', '--days must be a number from 1 to 36500.');
}

export const verifyArchive = command({
  name: 'events archive verify',
  description:
    'Checks the segments of an organization against the ledger, and every event against the entry that proves it.',
  valueName: organizationWord,
  options: {},
  run: ({ words: [given = ''] }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { id, name } = await findOrganization(services, ownerUrl, given);
      const problems: string[] = [];
      await checkEvents(services, id, ({ message }) => problems.push(message));
      const { events } = await findArchiveStatus(services, id);
      return {
        json: { organization: id, archived: events, problems },
        lines:
          problems.length === 0
            ? [`All ${events} archived events of ${name} match the ledger.`]
            : [`The events of ${name} do not match the ledger:`, ...problems],
        failed: problems.length > 0,
      };
    }),
});

export const restoreArchive = command({
  name: 'events archive restore',
  description: 'Moves archived events of an organization back to rows. A later run archives them again.',
  valueName: organizationWord,
  options: {
    from: { valueName: 'MONTH', required: true, description: 'The first month, such as 2026-03.' },
    to: { valueName: 'MONTH', description: 'The last month; the first one by default.' },
  },
  run: ({ words: [given = ''], options: { from, to = from } }) =>
    withServices(async (services, _keys, ownerUrl) => {
      if (![from, to].every((month) => /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month)))
        throw new Refusal('validation_failed', 'A month is written like 2026-03.');
      const { id, name } = await findOrganization(services, ownerUrl, given);
      const events = await restoreEvents(services, operatorActor(), id, { from, to });
      return {
        json: { organization: id, restored: events },
        lines: [`${events} events of ${name} are in rows again.`],
      };
    }),
});
