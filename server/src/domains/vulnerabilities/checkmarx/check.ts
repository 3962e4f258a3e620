import type { ScannerCheck } from '@sightline/contract/sources/integrations.ts';
import { Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { CheckmarxTenant } from '#providers/checkmarx/checkmarx.ts';
import type { CheckmarxConnection } from '#providers/checkmarx/client.ts';
import { CheckmarxLimited, CheckmarxProblem, invalidKey } from '#providers/checkmarx/problems.ts';
import { connectionSecretLocation, maybeConnectionRow, parseConnectionSettings } from './row.ts';

export interface ConnectionCheck {
  tenant: CheckmarxTenant;
  projects: number;
}

/** Signs in and counts the visible projects. Throws CheckmarxProblem. */
export async function checkConnection(
  { checkmarx }: Services,
  orgId: string,
  connection: CheckmarxConnection,
): Promise<ConnectionCheck> {
  const tenant = await checkmarx(orgId).open(connection, true);
  return { tenant, projects: await tenant.countProjects() };
}

/** The fields of the form; undefined if empty. */
type ConnectionForm = { [Field in keyof CheckmarxConnection]?: string | undefined };

/** Checks a connection and returns the result as a response. Empty fields use the stored settings. */
export async function testCheckmarxConnection(
  services: Services,
  orgId: string,
  given: ConnectionForm,
): Promise<ScannerCheck> {
  try {
    const { projects } = await checkConnection(services, orgId, await completed(services, orgId, given));
    return { ok: true, problem: null, projects };
  } catch (error) {
    if (error instanceof CheckmarxLimited)
      return { ok: false, projects: null, problem: { code: 'unreachable', field: null, message: RATE_LIMITED } };
    if (!(error instanceof CheckmarxProblem)) throw error;
    return { ok: false, projects: null, problem: { code: error.code, field: error.field, message: error.message } };
  }
}

const RATE_LIMITED = 'Checkmarx One is rate limiting requests. Wait a minute and try again.';

// The stored key is sent only to the host that it was entered for.
async function completed(services: Services, orgId: string, given: ConnectionForm): Promise<CheckmarxConnection> {
  const row = await services.database.withOrg(orgId, (tx) => maybeConnectionRow(tx, orgId));
  const kept = row?.secret ? parseConnectionSettings(row) : undefined;
  const tenant = given.tenant ?? kept?.tenant ?? '';
  const { apiKey } = given;
  if (apiKey !== undefined) return { tenant, apiKey, baseURL: given.baseURL ?? kept?.typedURL ?? undefined };
  const isElsewhere =
    tenant !== kept?.tenant ||
    (given.baseURL !== undefined && given.baseURL !== (kept?.typedURL ?? kept?.baseURL ?? ''));
  if (!row?.secret || kept === undefined || isElsewhere)
    throw invalidKey(row?.secret ? 'The stored key is sent only to its own host.' : 'No key is stored.');
  const secret = services.secrets.open(connectionSecretLocation(orgId, 'secret'), row.secret).toString();
  return { tenant, apiKey: secret, baseURL: kept.typedURL ?? undefined };
}

/** A problem as a refusal that names the field; never 401, which would end the caller's own session. */
export function connectionRefusalOf(error: unknown): unknown {
  if (error instanceof CheckmarxLimited) return new Refusal('upstream_failed', RATE_LIMITED);
  if (!(error instanceof CheckmarxProblem)) return error;
  const { message, field, code } = error;
  if (field === null) return new Refusal('upstream_failed', message, { cause: code });
  return new Refusal('validation_failed', message, { details: [{ field, message }] });
}
