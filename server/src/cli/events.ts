import { countExpired, forgetEventsOf } from '../domains/timeline/events/retention.ts';
import { keptFrom } from '../domains/timeline/events/retention-start.ts';
import { command } from './command.ts';
import { withServices } from './open.ts';
import { findOrganization } from './organizations.ts';

export const deleteExpiredEvents = command({
  name: 'events delete-expired',
  says: 'Deletes the events that are older than their retention period, also if they are most of an organization.',
  takes: ['SLUG|ID'],
  options: {},
  run: ({ words: [given = ''] }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { id, name } = await findOrganization(services, ownerUrl, given);
      const cutoffs = keptFrom(services.config);
      const { expired } = await countExpired(services, id, cutoffs);
      await forgetEventsOf(services, id, cutoffs);
      return {
        json: { organization: id, deleted: expired },
        lines: [`About ${expired} events of ${name} are deleted.`],
      };
    }),
});
