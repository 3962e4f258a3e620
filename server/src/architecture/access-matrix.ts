import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { type AccessOutcome, outcomesOf, type Principal } from './access.ts';
import { caseOf, endpointCases } from './endpoint-cases.ts';
import { endpointKeyOf } from './requests.ts';

/**
 * The response of every endpoint to every principal, by method and path. Each row belongs to a request that succeeds for
 * the owner of an organization.
 */
export const accessMatrix: Record<string, Record<Principal, AccessOutcome>> = Object.fromEntries(
  endpointCases.map(({ endpoint, access }) => [endpointKeyOf(endpoint), outcomesOf(access)]),
);

/**
 * Returns the status that the example request of an endpoint gets for the owner: its success status, or that of the
 * refusal.
 */
export function statusForOwner(endpoint: Endpoint): number {
  const { owner } = outcomesOf(caseOf(endpoint).access);
  return owner === 'ok' ? (endpoint.status ?? 200) : Number(owner);
}
