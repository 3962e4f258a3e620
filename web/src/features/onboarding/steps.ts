import type { OnboardingFacts, OnboardingStatus } from '@sightline/contract/onboarding.ts';

export const steps = [1, 2, 3] as const;
export type Step = (typeof steps)[number];

/**
 * Where somebody in the setup belongs, whatever step the address names (spec 2.4): a step, or home.
 * Undefined while what decides it is still being loaded.
 */
export function stepFor(
  status: OnboardingStatus,
  { activeOrganization, isOwner }: Pick<OnboardingFacts, 'activeOrganization' | 'isOwner'>,
): Step | 'home' | undefined {
  if (!activeOrganization) return 1;
  // Nobody but an owner sets up an organization.
  if (!isOwner) return 'home';
  if (status === 'loading') return undefined;
  if (status === 'done') return 'home';
  return status === 'no-scm' ? 2 : 3;
}
