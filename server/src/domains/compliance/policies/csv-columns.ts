import type { listPolicies } from '@sightline/contract/compliance/policies.ts';
import type { listPolicyChanges } from '@sightline/contract/compliance/policy-changes.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const policyCsvColumns: CsvColumns<RowOf<typeof listPolicies>> = {
  name: ({ name }) => name,
  kind: ({ kind }) => kind,
  mode: ({ mode }) => mode,
  version: ({ version }) => version,
  controls: ({ settings }) => Object.keys(settings),
  settings: ({ settings }) => JSON.stringify(settings),
  scope: ({ scope }) => JSON.stringify(scope),
  repositories: ({ repositories }) => repositories.map(({ fullName }) => fullName),
  'in force from': ({ from }) => from,
  'in force until': ({ until }) => until,
  author: ({ author }) => author.name,
  'pending change': ({ hasPendingChange }) => hasPendingChange,
  id: ({ id }) => id,
  link: ({ id }, link) => link(`/policies/${id}`),
};

export const policyChangeCsvColumns: CsvColumns<RowOf<typeof listPolicyChanges>> = {
  policy: ({ name }) => name,
  action: ({ action }) => action,
  state: ({ state }) => state,
  'weakened parameters': ({ weakened }) => weakened.map(({ control, parameter }) => `${control} ${parameter}`),
  'requested by': ({ requestedBy }) => requestedBy.name,
  'requested at': ({ requestedAt }) => requestedAt,
  'decided by': ({ decidedBy }) => decidedBy?.name,
  'decided at': ({ decidedAt }) => decidedAt,
  'reason of the decision': ({ reason }) => reason,
  'approved by the requester': ({ selfApproved }) => selfApproved,
  id: ({ id }) => id,
};
