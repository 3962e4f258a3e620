import {
  type OnboardingFacts,
  type OnboardingStatus,
  onboardingStatus,
} from '@sightline/contract/organization/onboarding.ts';
import { getGithubStatus } from '@sightline/contract/sources/github.ts';
import { listProviderRepos, type ProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { useQuery } from '@tanstack/react-query';
import { account, organizations } from './account.ts';
import { endpointQuery } from './api.ts';
import { useExtensions } from './presence.ts';
import { isContributor, isOwner, useSession } from './session.ts';

/** Spec 9: the poll of the user's status, also in the background. */
const watchEvery = 5_000;

/** The onboarding status of the signed-in user, and its facts; `watch` polls for external changes. */
export function useOnboarding({ watch = false } = {}): { status: OnboardingStatus; facts: OnboardingFacts } {
  const session = useSession();
  const owner = isOwner(session);
  const contributor = isContributor(session);
  const watched =
    watch && contributor ? { refetchInterval: watchEvery, refetchIntervalInBackground: true, staleTime: 0 } : {};
  const me = useQuery({ ...account(), ...watched }).data;
  const joined = useQuery({
    ...organizations(),
    select: (all) => all.filter(({ invitation }) => invitation === null).length,
  }).data;
  const offered = useQuery({ ...endpointQuery(listProviderRepos, {}), select: countRepositories, enabled: owner }).data;
  const extensions = useExtensions(contributor);
  const usesGithub = useUsesGithub(contributor && me?.traits.github === null);
  const facts: OnboardingFacts = {
    organizations: me && joined,
    activeOrganization: session?.organization !== undefined,
    isContributor: contributor,
    isOwner: owner,
    providerRepositories: offered?.all,
    trackedRepositories: offered?.tracked,
    onboardingComplete: me?.traits.onboardingComplete ?? false,
    hasGithubIdentity: me?.traits.github != null,
    usesGithub,
    hasEditor: extensions && extensions.ide_status === 'connected',
  };
  return { status: onboardingStatus(facts), facts };
}

/** Whether the organization imports from GitHub; undefined until known, and while not `enabled`. */
export function useUsesGithub(enabled = true): boolean | undefined {
  const { data, isError } = useQuery({ ...endpointQuery(getGithubStatus, {}), enabled, meta: { quiet: true } });
  // If unknown, an identity is requested, which does no harm.
  return data ? data.state === 'active' || data.state === 'suspended' : isError || undefined;
}

function countRepositories({ providerRepos }: { providerRepos: ProviderRepos }): { all: number; tracked: number } {
  const all = Object.values(providerRepos).flatMap((byOwner) => Object.values(byOwner).flat());
  return { all: all.length, tracked: all.filter(({ tracked }) => tracked).length };
}
