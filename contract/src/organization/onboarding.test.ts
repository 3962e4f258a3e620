import { describe, expect, test } from 'vitest';
import { type OnboardingFacts, type OnboardingStatus, onboardingStatus } from './onboarding.ts';

const nothingKnown: OnboardingFacts = {
  organizations: undefined,
  activeOrganization: false,
  isContributor: false,
  isOwner: false,
  providerRepositories: undefined,
  trackedRepositories: undefined,
  onboardingComplete: false,
  hasGithubIdentity: false,
  usesGithub: undefined,
  hasEditor: undefined,
};
const inOrganization = { organizations: 1, activeOrganization: true };
const owner = { ...inOrganization, isOwner: true };
const contributor = { ...inOrganization, isContributor: true, usesGithub: true, hasEditor: false };

// In the order of spec 4: the first that fits is the answer.
const table: [OnboardingStatus, string, Partial<OnboardingFacts>][] = [
  ['loading', 'organizations are still being loaded', {}],
  ['loading', 'nothing else counts before they are', { ...owner, organizations: undefined }],
  ['no-orgs', 'in none, and no contributor', { organizations: 0 }],
  ['no-orgs', 'in none although one was chosen before', { organizations: 0, activeOrganization: true }],
  ['select-org', 'a contributor in none yet', { organizations: 0, isContributor: true }],
  ['select-org', 'in some, none chosen', { organizations: 2 }],
  ['loading', 'an owner, while the repositories are being loaded', owner],
  ['loading', 'an owner, while half of it is known', { ...owner, providerRepositories: 3 }],
  [
    'no-scm',
    'an owner to whom no code host offers anything',
    { ...owner, providerRepositories: 0, trackedRepositories: 0 },
  ],
  ['no-tracked-repos', 'an owner who enabled nothing', { ...owner, providerRepositories: 3, trackedRepositories: 0 }],
  ['done', 'an owner who enabled one', { ...owner, providerRepositories: 3, trackedRepositories: 1 }],
  [
    'no-scm',
    'owner comes before contributor',
    { ...contributor, isOwner: true, providerRepositories: 0, trackedRepositories: 0 },
  ],
  ['loading', 'a contributor, while the editor is unknown', { ...contributor, hasEditor: undefined }],
  ['code-contributor-not-onboarded', 'a contributor with nothing at all', contributor],
  [
    'code-contributor-0-actions-so-far',
    'one who finished onboarding with neither',
    { ...contributor, onboardingComplete: true },
  ],
  ['code-contributor-no-gh-identity', 'an editor, no GitHub identity', { ...contributor, hasEditor: true }],
  [
    'code-contributor-no-gh-identity',
    'the same after onboarding',
    { ...contributor, hasEditor: true, onboardingComplete: true },
  ],
  ['code-contributor-no-ide-extension', 'a GitHub identity, no editor', { ...contributor, hasGithubIdentity: true }],
  ['loading', 'a contributor, while the code hosts are unknown', { ...contributor, usesGithub: undefined }],
  [
    'code-contributor-no-ide-extension',
    'nothing of GitHub is read here, no editor',
    { ...contributor, usesGithub: false },
  ],
  ['done', 'an editor where nothing of GitHub is read', { ...contributor, usesGithub: false, hasEditor: true }],
  ['done', 'a contributor with both', { ...contributor, hasGithubIdentity: true, hasEditor: true }],
  ['done', 'a reviewer in an organization', inOrganization],
];

describe('onboarding progress of a person', () => {
  test.each(table)('%s: %s', (status, _who, facts) => {
    expect(onboardingStatus({ ...nothingKnown, ...facts })).toBe(status);
  });
});
