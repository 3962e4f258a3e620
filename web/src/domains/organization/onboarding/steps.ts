import {
  hasAllHostIdentities,
  type OnboardingFacts,
  type OnboardingStatus,
} from '@sightline/contract/organization/onboarding.ts';

/** spec 9: two steps for contributors, three for others. */
export const ownerSteps = [1, 2, 3] as const;
export const contributorSteps = [1, 2] as const;
export type OwnerStep = (typeof ownerSteps)[number];
export type ContributorStep = (typeof contributorSteps)[number];

type OnboardingStage = Pick<OnboardingFacts, 'activeOrganization' | 'isOwner' | 'isContributor'>;

/** Whether the setup concerns a contributor profile instead of an organization. */
export const isContributorSetup = ({ activeOrganization, isOwner, isContributor }: OnboardingStage): boolean =>
  activeOrganization && isContributor && !isOwner;

/**
 * Returns the current step of the organization setup, regardless of the step in the address (spec 2.4), or 'home'.
 * Undefined while loading.
 */
export function ownerStepFor(
  status: OnboardingStatus,
  { activeOrganization, isOwner }: OnboardingStage,
): OwnerStep | 'home' | undefined {
  if (!activeOrganization) return 1;
  // Only Account Owners set up an organization.
  if (!isOwner) return 'home';
  if (status === 'loading') return undefined;
  if (status === 'done') return 'home';
  return status === 'no-scm' ? 2 : 3;
}

/**
 * Returns the setup step of a contributor. Step 1 ends when an identity exists or is not needed. Step 2 remains until
 * the contributor completes it, and reappears while something is missing.
 */
export function contributorStepFor(
  status: OnboardingStatus,
  facts: Pick<OnboardingFacts, 'hasGithubIdentity' | 'usesGithub' | 'onboardingComplete'>,
  requestedStep: string | undefined,
): ContributorStep | 'home' | undefined {
  if (status === 'loading') return undefined;
  if (status === 'done' && facts.onboardingComplete) return 'home';
  return requestedStep === '2' || hasAllHostIdentities(facts) ? 2 : 1;
}
