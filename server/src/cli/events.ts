import { countExpiredEvents, expireEventsOf } from '../domains/timeline/events/retention.ts';
import { retentionStartOf } from '../domains/timeline/events/retention-start.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
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
