import type { Account } from '@sightline/contract/identity/accounts.ts';
import type { Organization } from '@sightline/contract/organization/organizations.ts';
import type { ExtensionStatus } from '@sightline/contract/tools/presence.ts';

type Traits = Account['traits'];

/** The account of `signIn`, as returned by the API; `traits` overrides some of its traits. */
export const account = ({
  traits = {},
  ...change
}: Partial<Omit<Account, 'traits'>> & { traits?: Partial<Traits> } = {}): Account => ({
  nid: 'account',
  auth0_user_id: 'account',
  email: 'ada@acme.example',
  name: 'Ada',
  picture: null,
  traits: {
    alias: '',
    isEmployee: false,
    isOperator: false,
    onboardingComplete: false,
    hideTips: false,
    github: null,
    description: { displayName: 'Ada', bio: '', email: '', company: '', location: '' },
    ...traits,
  },
  linkedIdentities: [],
  ...change,
});

/** The organization of `signIn`. */
export const organization = (change: Partial<Organization> = {}): Organization => ({
  id: 'organization',
  name: 'Acme',
  displayName: 'Acme',
  description: '',
  logoUrl: null,
  role: 'rol_owner',
  owners: ['account'],
  ownerEmails: ['olga@acme.example'],
  archivedAt: null,
  restorableUntil: null,
  movedTo: null,
  isDemo: false,
  invitation: null,
  ...change,
});

/** Both extensions never connected. */
export const extensions = (change: Partial<ExtensionStatus> = {}): ExtensionStatus => ({
  browser_status: 'disconnected',
  ide_status: 'disconnected',
  browser_timestamp: null,
  ide_timestamp: null,
  browser_type: null,
  ide_type: null,
  ...change,
});
