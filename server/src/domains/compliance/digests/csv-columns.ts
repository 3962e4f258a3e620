import type { listDigests } from '@sightline/contract/compliance/digests.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const digestCsvColumns: CsvColumns<RowOf<typeof listDigests>> = {
  repository: ({ repository }) => repository.fullName,
  from: ({ period }) => period.from,
  to: ({ period }) => period.to,
  due: ({ dueAt }) => dueAt,
  state: ({ state }) => state,
  'flagged items': ({ flagged }) => flagged,
  'decided items': ({ decided }) => decided,
  'missing evidence': ({ missingEvidence }) => missingEvidence,
  changes: ({ counts }) => counts.changes,
  'without independent approval': ({ counts }) => counts.withoutApproval,
  'by agents': ({ counts }) => counts.byAgents,
  commits: ({ counts }) => counts.commits,
  'direct commits': ({ counts }) => counts.directCommits,
  'new committers': ({ counts }) => counts.newCommitters,
  'branch protection changes': ({ counts }) => counts.protectionChanges,
  'new tools': ({ counts }) => counts.newTools,
  'new critical and high vulnerabilities': ({ counts }) => counts.seriousFindings,
  'overdue vulnerabilities': ({ counts }) => counts.overTimeLimit,
  waivers: ({ counts }) => counts.waivers,
  'signed at': ({ signedAt }) => signedAt,
  'requested by': ({ requested }) => requested?.by.name,
  id: ({ id }) => id,
  link: ({ id }, link) => link(`/digests/${id}`),
};
