import { expect, test } from 'vitest';
import { contributorStepFor, isContributorSetup, ownerStepFor } from './steps.ts';

const nobody = { activeOrganization: true, isOwner: false, isContributor: false };
const owner = { ...nobody, isOwner: true };
const contributor = { ...nobody, isContributor: true };

test.each([
  ['no-orgs', { ...nobody, activeOrganization: false }, 1],
  ['select-org', { ...nobody, activeOrganization: false }, 1],
  ['loading', owner, undefined],
  ['no-scm', owner, 2],
  ['no-tracked-repos', owner, 3],
  ['done', owner, 'home'],
  ['done', nobody, 'home'],
] as const)('resolves organization setup: %s to %s %s', (status, facts, place) => {
  expect(ownerStepFor(status, facts)).toBe(place);
});

const [without, identified] = [
  { hasGithubIdentity: false, usesGithub: true },
  { hasGithubIdentity: true, usesGithub: true },
];
const elsewhere = { hasGithubIdentity: false, usesGithub: false };
const [open, complete] = [{ onboardingComplete: false }, { onboardingComplete: true }];

test.each([
  ['loading', { ...without, ...open }, '1', undefined],
  ['code-contributor-not-onboarded', { ...without, ...open }, '1', 1],
  ['code-contributor-not-onboarded', { ...without, ...open }, '3', 1],
  // "I'll do this later".
  ['code-contributor-not-onboarded', { ...without, ...open }, '2', 2],
  // Nothing of GitHub is read here.
  ['code-contributor-no-ide-extension', { ...elsewhere, ...open }, '1', 2],
  // The identity appears.
  ['code-contributor-no-ide-extension', { ...identified, ...open }, '1', 2],
  ['done', { ...identified, ...open }, '2', 2],
  ['done', { ...identified, ...complete }, '2', 'home'],
  // What was put off can be done later.
  ['code-contributor-0-actions-so-far', { ...without, ...complete }, '1', 1],
  ['code-contributor-no-gh-identity', { ...without, ...complete }, '1', 1],
  ['code-contributor-no-ide-extension', { ...identified, ...complete }, '2', 2],
] as const)('resolves profile setup: %s, %o to step %s', (status, facts, asked, place) => {
  expect(contributorStepFor(status, facts, asked)).toBe(place);
});

test('shows an owner the organization setup and a person without one its creation', () => {
  expect(isContributorSetup(contributor)).toBe(true);
  expect(isContributorSetup({ ...contributor, isOwner: true })).toBe(false);
  expect(isContributorSetup({ ...contributor, activeOrganization: false })).toBe(false);
  expect(isContributorSetup(nobody)).toBe(false);
});
