import { getExtensionStatus } from '@sightline/contract/accounts.ts';
import { type OnboardingFacts, type OnboardingStatus, onboardingStatus } from '@sightline/contract/onboarding.ts';
import { listProviderRepos, type ProviderRepos } from '@sightline/contract/repositories.ts';
import { useQuery } from '@tanstack/react-query';
import { account, organizations } from './account.ts';
import { ask } from './api.ts';
import { isContributor, isOwner, useSession } from './session.ts';

/** Where the signed-in person stands, and what that was concluded from. */
export function useOnboarding(): { status: OnboardingStatus; facts: OnboardingFacts } {
  const session = useSession();
  const owner = isOwner(session);
  const contributor = isContributor(session);
  const me = useQuery(account()).data;
  const joined = useQuery({
    ...organizations(),
    select: (all) => all.filter(({ invitation }) => invitation === null).length,
  }).data;
  const offered = useQuery({ ...ask(listProviderRepos, {}), select: countRepositories, enabled: owner }).data;
  const extensions = useQuery({ ...ask(getExtensionStatus, {}), enabled: contributor, meta: { quiet: true } }).data;
  const facts: OnboardingFacts = {
    organizations: me && joined,
    activeOrganization: session?.organization !== undefined,
    isContributor: contributor,
    isOwner: owner,
    providerRepositories: offered?.all,
    trackedRepositories: offered?.tracked,
    onboardingComplete: me?.traits.onboardingComplete ?? false,
    hasGithubIdentity: me?.traits.github != null,
    hasEditor: extensions && extensions.ide_status === 'connected',
  };
  return { status: onboardingStatus(facts), facts };
}

function countRepositories({ providerRepos }: { providerRepos: ProviderRepos }): { all: number; tracked: number } {
  const all = Object.values(providerRepos).flatMap((byOwner) => Object.values(byOwner).flat());
  return { all: all.length, tracked: all.filter(({ tracked }) => tracked).length };
}
