import {
  isIdentified,
  type OnboardingFacts,
  type OnboardingStatus,
} from '@sightline/contract/organization/onboarding.ts';

/** spec 9: two for contributors, three for everybody else. */
export const ownerSteps = [1, 2, 3] as const;
export const contributorSteps = [1, 2] as const;
export type OwnerStep = (typeof ownerSteps)[number];
export type ContributorStep = (typeof contributorSteps)[number];

type OnboardingStage = Pick<OnboardingFacts, 'activeOrganization' | 'isOwner' | 'isContributor'>;

/** Whether the setup is the one of a contributor's profile, not of an organization. */
export const isContributorSetup = ({ activeOrganization, isOwner, isContributor }: OnboardingStage): boolean =>
  activeOrganization && isContributor && !isOwner;

/**
 * Where somebody who sets up an organization belongs, whatever step the address names (spec 2.4): a step, or home.
 * Undefined while what decides it is still being loaded.
 */
export function ownerStepFor(
  status: OnboardingStatus,
  { activeOrganization, isOwner }: OnboardingStage,
): OwnerStep | 'home' | undefined {
  if (!activeOrganization) return 1;
  // Nobody but an owner sets up an organization.
  if (!isOwner) return 'home';
  if (status === 'loading') return undefined;
  if (status === 'done') return 'home';
  return status === 'no-scm' ? 2 : 3;
}

/**
 * Where a contributor belongs who asks for a step. The first is over as soon as there is an identity, or none to ask for;
 * the second is there until it is finished by the person, and again while something is missing.
 */
export function contributorStepFor(
  status: OnboardingStatus,
  facts: Pick<OnboardingFacts, 'hasGithubIdentity' | 'usesGithub' | 'onboardingComplete'>,
  asked: string | undefined,
): ContributorStep | 'home' | undefined {
  if (status === 'loading') return undefined;
  if (status === 'done' && facts.onboardingComplete) return 'home';
  return asked === '2' || isIdentified(facts) ? 2 : 1;
}
