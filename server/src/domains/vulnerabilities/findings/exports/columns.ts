import type { ExportColumns } from '#core/exports.ts';
import type { FindingLine } from './lines.ts';

/** `linkOf` returns the URL of a finding. */
export const findingColumns = (linkOf: (id: string) => string): ExportColumns<FindingLine> => ({
  severity: ({ severity }) => severity,
  vulnerability: ({ title }) => title,
  status: ({ status }) => status,
  reason: ({ reason }) => reason ?? '',
  category: ({ category }) => category,
  scanners: ({ tools }) => tools.map(({ name }) => name).join(', '),
  rule: ({ ruleId }) => ruleId,
  codes: ({ codes }) => codes.map(({ id }) => id).join(', '),
  repository: ({ repository }) => repository.fullName,
  ref: ({ ref }) => ref.ref,
  file: ({ coordinate }) => coordinate?.filePath ?? '',
  line: ({ coordinate }) => coordinate?.line?.toString() ?? '',
  commit: ({ commit }) => commit ?? '',
  message: ({ message }) => message,
  discovered: ({ discoverDate }) => discoverDate,
  due: ({ dueAt }) => dueAt ?? '',
  assignee: ({ assignee }) => assignee?.name ?? '',
  ticket: ({ ticketUrl }) => ticketUrl ?? '',
  labels: ({ labels }) => labels.join(', '),
  'introduced by': ({ introducedBy }) => introducedBy?.actor.name ?? '',
  'introduced with': ({ introducedBy }) => introducedBy?.commit ?? '',
  'waiver until': ({ exception }) => (exception?.state === 'approved' ? exception.until : ''),
  fingerprint: ({ fingerprint }) => fingerprint,
  id: ({ id }) => id,
  link: ({ id }) => linkOf(id),
});
