import type { listOutgoingWebhooks } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const webhookCsvColumns: CsvColumns<RowOf<typeof listOutgoingWebhooks>> = {
  url: ({ url }) => url,
  description: ({ description }) => description,
  types: ({ types }) => types,
  state: ({ state }) => state,
  'failing since': ({ failingSince }) => failingSince,
  'created by': ({ createdBy }) => createdBy.name,
  'created at': ({ createdAt }) => createdAt,
  id: ({ id }) => id,
};
