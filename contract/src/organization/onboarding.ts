/** The facts that the onboarding status depends on; undefined while loading. */
export interface OnboardingFacts {
  organizations: number | undefined;
  activeOrganization: boolean;
  isContributor: boolean;
  isOwner: boolean;
  /** Number of repositories that connected code hosts offer, and of enabled ones. */
  providerRepositories: number | undefined;
  trackedRepositories: number | undefined;
  onboardingComplete: boolean;
  hasGithubIdentity: boolean;
  /**
   * Whether the organization imports from GitHub. Logins of other hosts cannot be connected, so onboarding skips them.
   */
  usesGithub: boolean | undefined;
  hasEditor: boolean | undefined;
}

export type OnboardingStatus =
  | 'loading'
  | 'no-orgs'
  | 'select-org'
  | 'no-scm'
  | 'no-tracked-repos'
  | 'code-contributor-not-onboarded'
  | 'code-contributor-0-actions-so-far'
  | 'code-contributor-no-gh-identity'
  | 'code-contributor-no-ide-extension'
  | 'done';

/** The onboarding status, evaluated in the order of spec 4. */
export function onboardingStatus(facts: OnboardingFacts): OnboardingStatus {
  if (facts.organizations === undefined) return 'loading';
  if (facts.organizations === 0 && !facts.isContributor) return 'no-orgs';
  if (!facts.activeOrganization) return 'select-org';
  if (facts.isOwner) return ownerStatus(facts);
  if (facts.isContributor) return contributorStatus(facts);
  return 'done';
}

function ownerStatus({ providerRepositories, trackedRepositories }: OnboardingFacts): OnboardingStatus {
  if (providerRepositories === undefined || trackedRepositories === undefined) return 'loading';
  if (providerRepositories === 0) return 'no-scm';
  if (trackedRepositories === 0) return 'no-tracked-repos';
  return 'done';
}

/** Whether no code host identity remains to be connected; undefined while loading. */
export function hasAllHostIdentities({
  hasGithubIdentity,
  usesGithub,
}: Pick<OnboardingFacts, 'hasGithubIdentity' | 'usesGithub'>): boolean | undefined {
  if (hasGithubIdentity) return true;
  return usesGithub === undefined ? undefined : !usesGithub;
}

function contributorStatus(facts: OnboardingFacts): OnboardingStatus {
  const { onboardingComplete, hasEditor } = facts;
  const identified = hasAllHostIdentities(facts);
  if (hasEditor === undefined || identified === undefined) return 'loading';
  const neither = !identified && !hasEditor;
  if (neither) return onboardingComplete ? 'code-contributor-0-actions-so-far' : 'code-contributor-not-onboarded';
  if (!identified) return 'code-contributor-no-gh-identity';
  if (!hasEditor) return 'code-contributor-no-ide-extension';
  return 'done';
}
