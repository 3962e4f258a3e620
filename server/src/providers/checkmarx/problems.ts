import type { ScannerCheck } from '@sightline/contract/sources/integrations.ts';

type Problem = NonNullable<ScannerCheck['problem']>;

/** The reason that a connection to Checkmarx One fails. The message is shown to the user who entered it. */
export class CheckmarxProblem extends Error {
  override name = 'CheckmarxProblem';
  readonly code: Problem['code'];
  readonly field: Problem['field'];
  constructor(code: Problem['code'], field: Problem['field'], message: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/** Checkmarx One is rate limiting requests. */
export class CheckmarxLimited extends Error {
  override name = 'CheckmarxLimited';
  readonly until: Date;
  constructor(until: Date) {
    super('Checkmarx One is rate limiting requests.');
    this.until = until;
  }
}

export const wrongTenant = (entered: string, actual: string | undefined): CheckmarxProblem =>
  new CheckmarxProblem(
    'wrong_tenant',
    'tenant',
    actual === undefined
      ? `Checkmarx One has no tenant “${entered}”. Copy its name from the account menu of Checkmarx One.`
      : `This key belongs to the tenant “${actual}”, not to “${entered}”. Enter that name, or create a key in the other tenant.`,
  );

export const invalidKey = (why: string): CheckmarxProblem =>
  new CheckmarxProblem(
    'bad_key',
    'apiKey',
    `${why} Create a new API key in Checkmarx One (Settings, Identity and Access Management, API Keys) and paste it completely.`,
  );

export const expiredKey = (): CheckmarxProblem =>
  new CheckmarxProblem(
    'expired_key',
    'apiKey',
    'This API key expired or was revoked. Create a new one in Checkmarx One (Settings, Identity and Access Management, API Keys).',
  );

export const noPermission = (what: string): CheckmarxProblem =>
  new CheckmarxProblem(
    'no_permission',
    'apiKey',
    `The API key has no permission to ${what}. Give its owner a role with view-projects, view-scans and view-results in Checkmarx One.`,
  );

export const apiRefused = (host: string, why: string): CheckmarxProblem =>
  new CheckmarxProblem(
    'wrong_host',
    'baseURL',
    `The host ${host} ${why}. Leave the base URL empty to use the one in your key, or enter the URL of your Checkmarx One.`,
  );

export const hostUnreachable = (host: string): CheckmarxProblem =>
  new CheckmarxProblem(
    'unreachable',
    null,
    `The host ${host} does not respond. Check that your firewall allows the connection, and try again.`,
  );

/** `field`: the origin of the URL. */
export const urlRefused = (field: 'baseURL' | 'apiKey', address: string, why: string): CheckmarxProblem =>
  new CheckmarxProblem(
    'refused_host',
    field,
    field === 'baseURL'
      ? `The base URL ${why}, so it is not called. Enter the https URL of Checkmarx One. The operator of this server can allow a URL in your network.`
      : `The key contains ${address}, which ${why}, so it is not called. Use a key that Checkmarx One created.`,
  );
