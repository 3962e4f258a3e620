import type { Finding, FindingsQuery } from '@sightline/contract/vulnerabilities/findings.ts';
import type { Actor } from '#core/actor.ts';
import { Invalid } from '#core/errors.ts';
import { type ExportColumns, exportTextOf, recordExport } from '#core/exports.ts';
import type { LedgerSize } from '#core/ledger-size.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { listFindingsAtSize } from '../findings-at-size.ts';

type ExportQuery = Omit<FindingsQuery, 'page' | 'perPage' | 'sort'> & { format: string; size: LedgerSize };

/** Exports the findings as recorded at a ledger size as CSV. Throws 400 for other formats, which need unrecorded data. */
export async function exportFindingsAtSize(
  services: Services,
  actor: Actor,
  { format, ...filter }: ExportQuery,
): Promise<FileAnswer> {
  if (format !== 'csv') throw Invalid('format', 'must be csv at a ledger size');
  const { size } = filter;
  const pageOf = (page: number, perPage: number) =>
    services.database.withOrg(actor.orgId, (tx) =>
      listFindingsAtSize(services, tx, actor, { ...filter, sort: 'severity-desc', page, perPage }),
    );
  const { total } = await pageOf(1, 1);
  const fileOf = await services.database.withOrg(actor.orgId, (tx) =>
    recordExport(tx, services, actor, {
      of: `vulnerabilities-at-${size.epoch}.${size.size}`,
      format: 'csv',
      entry: {
        action: 'finding.exported',
        subject: { kind: 'organization', id: actor.orgId },
        data: { format, findings: total, ledgerSize: `${size.epoch}.${size.size}` },
      },
    }),
  );
  const rowsOf = async function* (): AsyncGenerator<Finding[]> {
    for (let page = 1; (page - 1) * BATCH_SIZE < total; page += 1) yield (await pageOf(page, BATCH_SIZE)).rows;
  };
  return fileOf(exportTextOf('csv', columnsWith(`${services.config.PUBLIC_URL}/vulnerabilities`), rowsOf()), total);
}

const BATCH_SIZE = 500;

// Only what states record. Names of repositories, scanners and members are those of today.
const columnsWith = (pages: string): ExportColumns<Finding> => ({
  severity: ({ severity }) => severity,
  vulnerability: ({ title }) => title,
  status: ({ status }) => status,
  category: ({ category }) => category,
  scanners: ({ tools }) => tools.map(({ name }) => name).join(', '),
  codes: ({ codes }) => codes.map(({ id }) => id).join(', '),
  repository: ({ repository }) => repository.fullName,
  ref: ({ ref }) => ref.ref,
  file: ({ coordinate }) => coordinate?.filePath ?? '',
  line: ({ coordinate }) => coordinate?.line?.toString() ?? '',
  discovered: ({ discoverDate }) => discoverDate,
  due: ({ dueAt }) => dueAt ?? '',
  assignee: ({ assignee }) => assignee?.name ?? '',
  ticket: ({ ticketUrl }) => ticketUrl ?? '',
  labels: ({ labels }) => labels.join(', '),
  'waiver until': ({ exception }) => (exception?.state === 'approved' ? exception.until : ''),
  id: ({ id }) => id,
  link: ({ id }) => `${pages}/${id}`,
  'ledger entry': ({ recorded }) => recorded?.entry?.index.toString() ?? '',
});
