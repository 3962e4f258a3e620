import { type AuditFilter, type AuditFormat, exportAudit } from '@sightline/contract/organization/audit.ts';
import { useExport } from '#lib/use-export.ts';
import { toast } from '#ui/toast.ts';

export const exportFormats: { format: AuditFormat; label: string; description: string }[] = [
  { format: 'csv', label: 'CSV', description: 'for spreadsheets' },
  { format: 'json', label: 'JSON', description: 'one list' },
  { format: 'ndjson', label: 'JSON lines', description: 'one entry a line' },
];

type AuditExportFilter = AuditFilter & { older?: unknown; newer?: unknown; perPage?: unknown };

/** Exports all entries that match the filters, regardless of the page. */
export function useAuditExport() {
  const { start, ...rest } = useExport(exportAudit, () => toast.success('The audit log was exported.'));
  return {
    ...rest,
    start: (format: AuditFormat, { older: _o, newer: _n, perPage: _p, ...filter }: AuditExportFilter) =>
      start({ query: { ...filter, format } }),
  };
}
