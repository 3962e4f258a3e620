import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import type { ScannerCheck } from '@sightline/contract/sources/integrations.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import { Invalid, Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import {
  type ScannerConnection,
  ScannerLimited,
  ScannerProblem,
  type ScannerSession,
} from '#providers/scanner-connector.ts';
import {
  connectionSecretLocation,
  maybeConnectionRow,
  parseConnectionSettings,
  type ScannerOf,
} from './connection-row.ts';

export interface ConnectionCheck {
  session: ScannerSession;
  projects: number;
}

/** Signs in and counts the visible projects. Throws ScannerProblem. */
export async function checkConnection(
  { scanners }: Services,
  { orgId, scanner }: ScannerOf,
  connection: ScannerConnection,
): Promise<ConnectionCheck> {
  const session = await scanners.connector(orgId, scanner).open(connection, true);
  return { session, projects: await session.countProjects() };
}

/** The fields of the form; undefined if empty. */
export type ConnectionForm = { [Field in keyof ScannerConnection]?: string | undefined };

/** The connection in a form. Throws `Invalid` for a field that the scanner needs and that is missing. */
export function connectionFrom(
  { config }: Pick<Services, 'config'>,
  scanner: ScannerName,
  given: ConnectionForm & { apiKey: string },
): ScannerConnection {
  const form = scannerForms[scanner];
  const tenant = form.tenant === undefined ? '' : (given.tenant ?? '');
  if (form.tenant?.isRequired && tenant === '') throw Invalid('tenant', 'is needed');
  if (config.scanners[scanner].baseURL === '' && !given.baseURL) throw Invalid('baseURL', 'is needed');
  return { tenant, apiKey: given.apiKey, baseURL: given.baseURL };
}

/** Checks a connection and returns the result as a response. Empty fields use the stored settings. */
export async function testScannerConnection(
  services: Services,
  of: ScannerOf,
  given: ConnectionForm,
): Promise<ScannerCheck> {
  try {
    const { projects } = await checkConnection(services, of, await completed(services, of, given));
    return { ok: true, problem: null, projects };
  } catch (error) {
    if (error instanceof ScannerLimited) {
      const problem = { code: 'unreachable' as const, field: null, message: limitText(error) };
      return { ok: false, projects: null, problem };
    }
    if (!(error instanceof ScannerProblem)) throw error;
    return { ok: false, projects: null, problem: { code: error.code, field: error.field, message: error.message } };
  }
}

const limitText = (error: ScannerLimited) => `${error.message} Wait a minute and try again.`;

// The stored key is sent only to the host that it was entered for.
async function completed(
  services: Services,
  { orgId, scanner }: ScannerOf,
  given: ConnectionForm,
): Promise<ScannerConnection> {
  const row = await services.database.withOrg(orgId, (tx) => maybeConnectionRow(tx, orgId, scanner));
  const kept = row?.secret ? parseConnectionSettings(row) : undefined;
  const tenant = given.tenant ?? kept?.tenant ?? '';
  const { apiKey } = given;
  if (apiKey !== undefined)
    return connectionFrom(services, scanner, { tenant, apiKey, baseURL: given.baseURL ?? kept?.typedURL ?? undefined });
  const isElsewhere =
    tenant !== kept?.tenant ||
    (given.baseURL !== undefined && given.baseURL !== (kept?.typedURL ?? kept?.baseURL ?? ''));
  if (!row?.secret || kept === undefined || isElsewhere) {
    const { noun } = scannerForms[scanner].apiKey;
    const why = row?.secret ? `The stored ${noun} is sent only to its own host.` : `No ${noun} is stored.`;
    throw new ScannerProblem('bad_key', 'apiKey', `${why} Enter the ${noun}.`);
  }
  const secret = services.secrets.open(connectionSecretLocation(orgId, scanner, 'secret'), row.secret).toString();
  return { tenant, apiKey: secret, baseURL: kept.typedURL ?? undefined };
}

/** A problem as a refusal that names the field; never 401, which would end the caller's own session. */
export function connectionRefusalOf(error: unknown): unknown {
  if (error instanceof ScannerLimited) return new Refusal('upstream_failed', limitText(error));
  if (!(error instanceof ScannerProblem)) return error;
  const { message, field, code } = error;
  if (field === null) return new Refusal('upstream_failed', message, { cause: code });
  return new Refusal('validation_failed', message, { details: [{ field, message }] });
}
