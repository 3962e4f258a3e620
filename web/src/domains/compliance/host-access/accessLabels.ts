import type { Duty } from '@sightline/contract/compliance/host-access.ts';
import type { AccessPart, AccessRoute } from '@sightline/contract/sources/host-access.ts';

export const dutyNames: Readonly<Record<Duty, string>> = {
  write: 'Write',
  approve: 'Approve',
  bypass: 'Bypass protection',
  administer: 'Administer',
  waive: 'Waive findings',
};

export const accessRouteNames: Readonly<Record<AccessRoute, string>> = {
  direct: 'Named on the repository',
  outside: 'Outside collaborator',
  organization: 'Organization or team',
  owner: 'Owner of the organization',
  selected: 'Selected repositories',
};

export const accessPartNames: Readonly<Record<AccessPart, string>> = {
  people: 'accounts',
  teams: 'teams',
  keys: 'deploy keys',
  apps: 'apps',
  owners: 'owners of the organization',
  bypass: 'who can bypass the branch protection',
};
