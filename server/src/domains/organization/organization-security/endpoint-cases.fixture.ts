import {
  addOrganizationDomain,
  getOrganizationSecurity,
  removeOrganizationDomain,
  updateOrganizationSecurity,
  verifyOrganizationDomain,
} from '@sightline/contract/organization/organization-security.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(addOrganizationDomain, {
    request: () => ({ body: { domain: 'new.example.org' } }),
    access: { allows: ['owner'] },
    recentSignIn: true,
    writes: ['organization.domain_added'],
  }),
  endpointCase(getOrganizationSecurity, {
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(removeOrganizationDomain, {
    request: ({ domain }) => ({ params: { domain } }),
    access: { allows: ['owner'], foreign: 404 },
    recentSignIn: true,
    writes: ['organization.domain_removed'],
  }),
  endpointCase(updateOrganizationSecurity, {
    request: () => ({ body: { requireSecondFactor: true, sessionHours: 24 } }),
    access: { allows: ['owner'], except: { exchanged: 409, otherExchanged: 409 } },
    recentSignIn: true,
    writes: ['organization.second_factor_required', 'organization.session_policy_changed'],
  }),
  endpointCase(verifyOrganizationDomain, {
    request: ({ domain }) => ({ params: { domain } }),
    access: { allows: ['owner'], status: 409, foreign: 404 },
    writesNothing:
      'Fails without a DNS record. A verified domain is audited: see organization-security/single-sign-on.test.ts.',
  }),
];
