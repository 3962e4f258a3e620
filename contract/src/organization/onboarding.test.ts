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

// In the order of spec 4: the first match applies.
const table: [OnboardingStatus, string, Partial<OnboardingFacts>][] = [
  ['loading', 'organizations are still being loaded', {}],
  ['loading', 'only organizations count while they are being loaded', { ...owner, organizations: undefined }],
  ['no-orgs', 'without an organization, not a contributor', { organizations: 0 }],
  [
    'no-orgs',
    'without an organization, although one was selected before',
    { organizations: 0, activeOrganization: true },
  ],
  ['select-org', 'a contributor without an organization', { organizations: 0, isContributor: true }],
  ['select-org', 'in some organizations, none selected', { organizations: 2 }],
  ['loading', 'an owner, while the repositories are being loaded', owner],
  ['loading', 'an owner, while some facts are unknown', { ...owner, providerRepositories: 3 }],
  ['no-scm', 'an owner without offered repositories', { ...owner, providerRepositories: 0, trackedRepositories: 0 }],
  [
    'no-tracked-repos',
    'an owner without an enabled repository',
    { ...owner, providerRepositories: 3, trackedRepositories: 0 },
  ],
  ['done', 'an owner with an enabled repository', { ...owner, providerRepositories: 3, trackedRepositories: 1 }],
  [
    'no-scm',
    'owner has precedence over contributor',
    { ...contributor, isOwner: true, providerRepositories: 0, trackedRepositories: 0 },
  ],
  ['loading', 'a contributor, while the editor is unknown', { ...contributor, hasEditor: undefined }],
  ['code-contributor-not-onboarded', 'a contributor without identity and editor', contributor],
  [
    'code-contributor-0-actions-so-far',
    'a contributor who completed onboarding without both',
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
  ['code-contributor-no-ide-extension', 'no import from GitHub, no editor', { ...contributor, usesGithub: false }],
  ['done', 'an editor where nothing of GitHub is read', { ...contributor, usesGithub: false, hasEditor: true }],
  ['done', 'a contributor with both', { ...contributor, hasGithubIdentity: true, hasEditor: true }],
  ['done', 'a reviewer in an organization', inOrganization],
];

describe('onboarding progress of a person', () => {
  test.each(table)('%s: %s', (status, _who, facts) => {
    expect(onboardingStatus({ ...nothingKnown, ...facts })).toBe(status);
  });
});
