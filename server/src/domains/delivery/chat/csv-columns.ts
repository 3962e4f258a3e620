import type { listChatChannels } from '@sightline/contract/delivery/chat.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const chatChannelCsvColumns: CsvColumns<RowOf<typeof listChatChannels>> = {
  service: ({ service }) => service,
  name: ({ name }) => name,
  types: ({ types }) => types,
  'minimum severity': ({ minSeverity }) => minSeverity,
  state: ({ state }) => state,
  problem: ({ problem }) => problem,
  'messages not delivered': ({ pending }) => pending,
  'last delivered at': ({ lastDeliveredAt }) => lastDeliveredAt,
  'created by': ({ createdBy }) => createdBy.name,
  'created at': ({ createdAt }) => createdAt,
  id: ({ id }) => id,
};
