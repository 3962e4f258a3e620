import { expect, test } from 'vitest';
import { stepFor } from './steps.ts';

const owner = { activeOrganization: true, isOwner: true };

test.each([
  ['no-orgs', { activeOrganization: false, isOwner: false }, 1],
  ['select-org', { activeOrganization: false, isOwner: false }, 1],
  ['loading', owner, undefined],
  ['no-scm', owner, 2],
  ['no-tracked-repos', owner, 3],
  ['done', owner, 'home'],
  ['done', { activeOrganization: true, isOwner: false }, 'home'],
  ['code-contributor-not-onboarded', { activeOrganization: true, isOwner: false }, 'home'],
] as const)('%s belongs to %s %s', (status, facts, place) => {
  expect(stepFor(status, facts)).toBe(place);
});
