import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { ask } from './api.ts';

/** The signed-in account. */
export const account = () => ask(getAccount, {});

/** Its organizations, and those it is only invited to (`invitation` is set). One question for the whole app. */
export const organizations = () => ask(listOrganizations, { query: { include_invitations: 'true' } });
