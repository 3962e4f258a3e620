import { expect, test } from 'vitest';
import { contributorStepFor, isContributorSetup, ownerStepFor } from './steps.ts';

const noRole = { activeOrganization: true, isOwner: false, isContributor: false };
const owner = { ...noRole, isOwner: true };
const contributor = { ...noRole, isContributor: true };

test.each([
  ['no-orgs', { ...noRole, activeOrganization: false }, 1],
  ['select-org', { ...noRole, activeOrganization: false }, 1],
  ['loading', owner, undefined],
  ['no-scm', owner, 2],
  ['no-tracked-repos', owner, 3],
  ['done', owner, 'home'],
  ['done', noRole, 'home'],
] as const)('resolves organization setup: %s to %s %s', (status, facts, expected) => {
  expect(ownerStepFor(status, facts)).toBe(expected);
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
  // No repository is read from GitHub.
  ['code-contributor-no-ide-extension', { ...elsewhere, ...open }, '1', 2],
  // The identity is linked.
  ['code-contributor-no-ide-extension', { ...identified, ...open }, '1', 2],
  ['done', { ...identified, ...open }, '2', 2],
  ['done', { ...identified, ...complete }, '2', 'home'],
  // Skipped steps remain available later.
  ['code-contributor-0-actions-so-far', { ...without, ...complete }, '1', 1],
  ['code-contributor-no-gh-identity', { ...without, ...complete }, '1', 1],
  ['code-contributor-no-ide-extension', { ...identified, ...complete }, '2', 2],
] as const)('resolves profile setup: %s, %o to step %s', (status, facts, requestedStep, expected) => {
  expect(contributorStepFor(status, facts, requestedStep)).toBe(expected);
});

test('shows the profile setup only to contributors who are not owners', () => {
  expect(isContributorSetup(contributor)).toBe(true);
  expect(isContributorSetup({ ...contributor, isOwner: true })).toBe(false);
  expect(isContributorSetup({ ...contributor, activeOrganization: false })).toBe(false);
  expect(isContributorSetup(noRole)).toBe(false);
});
