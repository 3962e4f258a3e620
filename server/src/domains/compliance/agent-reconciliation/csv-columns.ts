import type { listReconciliationGroups } from '@sightline/contract/compliance/agent-reconciliation.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const reconciliationGroupCsvColumns: CsvColumns<RowOf<typeof listReconciliationGroups>> = {
  name: ({ name }) => name,
  changes: ({ changes }) => changes,
  'declared and observed': ({ counts }) => counts.declared_and_observed,
  'declared only': ({ counts }) => counts.declared_only,
  'observed only': ({ counts }) => counts.observed_only,
  neither: ({ counts }) => counts.neither,
  'missing evidence': ({ counts }) => counts.missing_evidence,
  sessions: ({ sessions }) => sessions,
  'sessions without cost': ({ sessionsWithoutCost }) => sessionsWithoutCost,
  'cost in US dollars': ({ cost }) => cost,
  key: ({ key }) => key,
};
