import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { endpointQuery } from './api.ts';

/** The signed-in account. */
export const account = () => endpointQuery(getAccount, {});

/**
 * Its organizations, including those it is only invited to (`invitation` is set). A single query for the entire app.
 */
export const organizations = () => endpointQuery(listOrganizations, { query: { include_invitations: 'true' } });
