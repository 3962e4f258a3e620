import { ScannerProblem } from '../scanner-connector.ts';
import type { ScannerProblems } from '../scanner-transport.ts';

export const wrongTenant = (entered: string, actual: string | undefined): ScannerProblem =>
  new ScannerProblem(
    'wrong_tenant',
    'tenant',
    actual === undefined
      ? `Checkmarx One has no tenant “${entered}”. Copy its name from the account menu of Checkmarx One.`
      : `This key belongs to the tenant “${actual}”, not to “${entered}”. Enter that name, or create a key in the other tenant.`,
  );

export const invalidKey = (why: string): ScannerProblem =>
  new ScannerProblem(
    'bad_key',
    'apiKey',
    `${why} Create a new API key in Checkmarx One (Settings, Identity and Access Management, API Keys) and paste it completely.`,
  );

export const expiredKey = (): ScannerProblem =>
  new ScannerProblem(
    'expired_key',
    'apiKey',
    'This API key expired or was revoked. Create a new one in Checkmarx One (Settings, Identity and Access Management, API Keys).',
  );

export const noPermission = (what: string): ScannerProblem =>
  new ScannerProblem(
    'no_permission',
    'apiKey',
    `The API key has no permission to ${what}. Give its owner a role with view-projects, view-scans and view-results in Checkmarx One.`,
  );

export const apiRefused = (host: string, why: string): ScannerProblem =>
  new ScannerProblem(
    'wrong_host',
    'baseURL',
    `The host ${host} ${why}. Leave the base URL empty to use the one in your key, or enter the URL of your Checkmarx One.`,
  );

const hostUnreachable = (host: string): ScannerProblem =>
  new ScannerProblem(
    'unreachable',
    null,
    `The host ${host} does not respond. Check that your firewall allows the connection, and try again.`,
  );

/** `field`: the origin of the URL. */
export const urlRefused = (field: 'baseURL' | 'apiKey', address: string, why: string): ScannerProblem =>
  new ScannerProblem(
    'refused_host',
    field,
    field === 'baseURL'
      ? `The base URL ${why}, so it is not called. Enter the https URL of Checkmarx One. The operator of this server can allow a URL in your network.`
      : `The key contains ${address}, which ${why}, so it is not called. Use a key that Checkmarx One created.`,
  );

export const checkmarxProblems: ScannerProblems = { title: 'Checkmarx One', apiRefused, hostUnreachable, urlRefused };
