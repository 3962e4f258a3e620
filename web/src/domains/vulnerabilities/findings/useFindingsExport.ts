import {
  exportFindings,
  type FindingsQuery,
  type findingFormats,
} from '@sightline/contract/vulnerabilities/findings.ts';
import { useExport } from '#lib/use-export.ts';
import { toast } from '#ui/toast.ts';
import { findingsFilterOf } from './findingsQuery.ts';

type Format = (typeof findingFormats)[number];

export const exportFormats: { format: Format; label: string; description: string }[] = [
  { format: 'csv', label: 'CSV', description: 'for spreadsheets' },
  { format: 'json', label: 'JSON', description: 'one list' },
  { format: 'sarif', label: 'SARIF', description: 'for other tools' },
];

/** Exports all findings that match the filters, regardless of the page. */
export function useFindingsExport() {
  const { start, ...rest } = useExport(exportFindings, () => toast.success('The vulnerabilities were exported.'));
  return {
    ...rest,
    start: (format: Format, query: FindingsQuery) =>
      start({ query: { ...findingsFilterOf(query), ledgerSize: query.ledgerSize, format } }),
  };
}
