import type { ScannerCheck } from '@sightline/contract/sources/integrations.ts';

type Problem = NonNullable<ScannerCheck['problem']>;

/** Why Checkmarx One cannot be used with what it was given: its words are for the person who typed it. */
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

/** Checkmarx One holds us back; nothing is wrong. */
export class CheckmarxLimited extends Error {
  override name = 'CheckmarxLimited';
  readonly until: Date;
  constructor(until: Date) {
    super('Checkmarx One allows no more requests just now.');
    this.until = until;
  }
}

export const wrongTenant = (typed: string, meant: string | undefined): CheckmarxProblem =>
  new CheckmarxProblem(
    'wrong_tenant',
    'tenant',
    meant === undefined
      ? `Checkmarx One knows no tenant “${typed}”. Copy its name from the account menu of Checkmarx One.`
      : `This key belongs to the tenant “${meant}”, not to “${typed}”. Type that name, or make a key in the other tenant.`,
  );

export const badKey = (why: string): CheckmarxProblem =>
  new CheckmarxProblem(
    'bad_key',
    'apiKey',
    `${why} Make a new API key in Checkmarx One (Settings, Identity and Access Management, API Keys) and paste the whole of it.`,
  );

export const expiredKey = (): CheckmarxProblem =>
  new CheckmarxProblem(
    'expired_key',
    'apiKey',
    'This API key has expired or was revoked. Make a new one in Checkmarx One (Settings, Identity and Access Management, API Keys).',
  );

export const noPermission = (what: string): CheckmarxProblem =>
  new CheckmarxProblem(
    'no_permission',
    'apiKey',
    `The API key may not ${what}. Give its owner a role with view-projects, view-scans and view-results in Checkmarx One.`,
  );

export const wrongHost = (host: string, why: string): CheckmarxProblem =>
  new CheckmarxProblem(
    'wrong_host',
    'baseURL',
    `The host ${host} ${why}. Leave the base URL empty to use the one your key names, or take the address you open Checkmarx One at.`,
  );

export const unreachable = (host: string): CheckmarxProblem =>
  new CheckmarxProblem(
    'unreachable',
    null,
    `The host ${host} does not answer. Check that this server may reach it through your firewall, and try again.`,
  );

/** `field`: where the address came from. */
export const refusedHost = (field: 'baseURL' | 'apiKey', address: string, why: string): CheckmarxProblem =>
  new CheckmarxProblem(
    'refused_host',
    field,
    field === 'baseURL'
      ? `The base URL ${why}, so it is not called. Give the https address of Checkmarx One; the operator of this server can allow one in your own network.`
      : `The key names ${address}, which ${why}, so it is not called. Use a key that Checkmarx One made.`,
  );
