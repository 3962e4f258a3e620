import type { Outbound } from '#core/outbound.ts';
import { openScannerApi, problemsOf, type ScannerApi } from '../scanner-api.ts';
import { type ScannerConnection, ScannerProblem } from '../scanner-connector.ts';
import type { RetryOptions } from '../scanner-transport.ts';
import { validation } from './shapes.ts';

/** A signed-in client of SonarQube Server or SonarQube Cloud. */
export interface SonarClient {
  api: ScannerApi;
  /** The key of the organization on SonarQube Cloud; undefined on SonarQube Server. */
  organization: string | undefined;
}

const cloudHosts = /(^|\.)(sonarcloud\.io|sonarqube\.us)$/;

/**
 * Signs in with a token. Versions before 10.0 know a token only as the user of Basic authentication; `api/authentication/
 * validate` tells whether it is accepted. https://docs.sonarsource.com/sonarqube-server/extension-guide/web-api
 */
export async function openSonarClient(
  outbound: Outbound,
  connection: ScannerConnection,
  defaultURL: string,
  patience: RetryOptions,
): Promise<SonarClient> {
  const { tenant, apiKey } = connection;
  const open = (authorization: string) =>
    openScannerApi(outbound, { name: 'sonarqube', connection, defaultURL, headers: { authorization }, patience });
  const api = await open(`Bearer ${apiKey}`);
  if (tenant === '' && cloudHosts.test(new URL(api.baseURL).hostname)) {
    const message =
      'SonarQube Cloud needs the key of your organization, as in its address: sonarcloud.io/organizations/KEY.';
    throw new ScannerProblem('wrong_tenant', 'tenant', message);
  }
  const organization = tenant === '' ? undefined : tenant;
  if (await isValid(api)) return { api, organization };
  const basic = await open(`Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`);
  if (await isValid(basic)) return { api: basic, organization };
  throw problemsOf('sonarqube').keyRefused();
}

async function isValid(api: ScannerApi): Promise<boolean> {
  try {
    return (await api.get('/api/authentication/validate', validation)).data.valid;
  } catch (error) {
    if (error instanceof ScannerProblem && error.code === 'bad_key') return false;
    throw error;
  }
}
