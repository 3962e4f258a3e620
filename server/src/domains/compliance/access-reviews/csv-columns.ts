import type {
  listAccessReviewHostItems,
  listAccessReviewItems,
} from '@sightline/contract/compliance/access-review-items.ts';
import type { listAccessReviews } from '@sightline/contract/compliance/access-reviews.ts';
import { roleNames } from '@sightline/contract/core/permissions.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const accessReviewCsvColumns: CsvColumns<RowOf<typeof listAccessReviews>> = {
  quarter: ({ quarter }) => quarter,
  state: ({ state }) => state,
  'opened at': ({ openedAt }) => openedAt,
  'opened by': ({ openedBy }) => openedBy?.name,
  due: ({ dueAt }) => dueAt,
  items: ({ lines }) => lines,
  'decided items': ({ decided }) => decided,
  'signed at': ({ signed }) => signed?.at,
  'signed by': ({ signed }) => signed?.by.name,
  id: ({ id }) => id,
  link: ({ id }, link) => link(`/evidence/access-reviews/${id}`),
};

export const accessReviewItemCsvColumns: CsvColumns<RowOf<typeof listAccessReviewItems>> = {
  name: ({ name }) => name,
  email: ({ email }) => email,
  'reviewed role': ({ roleId }) => roleNames[roleId],
  'current role': ({ now }) => now && roleNames[now.roleId],
  'current status': ({ now }) => now?.status,
  decision: ({ decision }) => decision?.is,
  'decided at': ({ decision }) => decision?.at,
  'decided by': ({ decision }) => decision?.by.name,
};

export const accessReviewHostItemCsvColumns: CsvColumns<RowOf<typeof listAccessReviewHostItems>> = {
  'code host': ({ holder }) => holder.provider,
  kind: ({ holder }) => holder.kind,
  name: ({ holder }) => holder.name,
  person: ({ holder }) => holder.person?.name,
  permission: ({ permission }) => permission,
  repositories: ({ repositories }) => repositories.map(({ name }) => name),
  decision: ({ decision }) => decision?.is,
  'decided at': ({ decision }) => decision?.at,
  'decided by': ({ decision }) => decision?.by.name,
  id: ({ id }) => id,
};
