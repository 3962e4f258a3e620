import type { CsvExport, ExportableList } from '@sightline/contract/core/csv-export.ts';
import type { Endpoint, Page } from '@sightline/contract/core/endpoint.ts';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { exportTextOf, recordExport } from './exports.ts';
import { type CallOf, type FileAnswer, route } from './route.ts';
import type { Services } from './services.ts';

/** A cell of a CSV file: texts of a list are separated by commas, null is empty. */
type CsvValue = string | number | boolean | null | undefined | readonly (string | number)[];

/** The columns of a CSV file by header. `link` returns the URL of a path of this installation. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row, link: (path: string) => string) => CsvValue>>;

export type RowOf<E extends ExportableList> = z.output<E['response']>[number];

type OrganizationEndpoint = Endpoint & { scope: 'organization'; query: z.ZodObject; params: z.ZodObject };

/** Rows of one page: the maximum that lists accept. Each page is its own transaction, so that a slow reader holds none. */
const ROWS_PER_PAGE = 100;

/**
 * Mounts the export of a list. It reads the pages of the list from the handler of its own route, so that filters, order
 * and visibility are those of the list. `name` is the name of the list in the audit log and of the file.
 */
export function exportRoute<E extends ExportableList>(
  app: FastifyInstance,
  services: Services,
  [list, exported]: readonly [E, CsvExport<E>],
  { name, columns }: { name: string; columns: CsvColumns<RowOf<E>> },
): void {
  route(app, services, exported as unknown as OrganizationEndpoint, async (call): Promise<FileAnswer> => {
    const { actor } = call;
    const pageAt = async (page: number): Promise<Page<RowOf<E>[]>> => {
      const handle = services.endpointHandlers.get(list) as (call: CallOf<Endpoint>) => Promise<unknown>;
      const query = { ...call.query, page, perPage: ROWS_PER_PAGE };
      const result = (await handle({ ...call, query } as unknown as CallOf<Endpoint>)) as Page<RowOf<E>[]> | RowOf<E>[];
      return Array.isArray(result) ? { rows: result, total: result.length } : result;
    };
    const first = await pageAt(1);
    const given = Object.entries(call.query).filter(([name, value]) => name !== 'search' && isFilterValue(value));
    const fileOf = await services.database.withOrg(actor.orgId, (tx) =>
      recordExport(tx, services, actor, {
        of: name.toLowerCase().replaceAll(' ', '-'),
        format: 'csv',
        entry: {
          action: 'list.exported',
          subject: { kind: 'organization', id: actor.orgId },
          // The path was found, a query may contain what another organization has.
          data: { ...call.params, ...Object.fromEntries(given), list: name, rows: first.total },
        },
      }),
    );
    const link = (path: string) => `${services.config.PUBLIC_URL}${path}`;
    const texts = Object.fromEntries(
      Object.entries(columns).map(([header, cell]) => [header, (row: RowOf<E>) => cellText(cell(row, link))]),
    );
    return fileOf(exportTextOf('csv', texts, pagesFrom(first, pageAt)), first.total);
  });
}

/** Texts and lists of the contract's own values. IDs are not recorded: the caller may have invented them. */
const isFilterValue = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every(isFilterValue)
    : typeof value === 'string' && value !== '' && !/[0-9a-f]{8}-[0-9a-f]{4}-/i.test(value);

async function* pagesFrom<Row>(
  first: Page<Row[]>,
  pageAt: (page: number) => Promise<Page<Row[]>>,
): AsyncGenerator<Row[]> {
  yield first.rows;
  // A list without pages is complete with the first one.
  if (first.rows.length === first.total) return;
  for (let page = 2; (page - 1) * ROWS_PER_PAGE < first.total; page += 1) yield (await pageAt(page)).rows;
}

function cellText(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? value.join(', ') : String(value);
}
