import { Button } from '@mantine/core';
import { completeOnboarding } from '@sightline/contract/identity/accounts.ts';
import { enableRepositories, listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { account } from '#lib/account.ts';
import { call, endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { setStored } from '#lib/storage.ts';
import { Banner } from '#ui/Banner.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { RepositoryPicker } from './RepositoryPicker.tsx';
import { filterOwners, repositoryOwnersOf, selectionBodyOf } from './repositoryOwners.ts';
import s from './Setup.module.css';
import { StepCard } from './StepCard.tsx';

/** Step 3. Enables the selected repositories, completes onboarding and redirects to Home, which shows the imports. */
export function AddRepositories() {
  const router = useRouter();
  const queryClient = useQueryClient();
  const { data } = useQuery(endpointQuery(listProviderRepos, {}));
  const owners = useMemo(() => repositoryOwnersOf(data?.providerRepos ?? {}), [data]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [search, setSearch] = useState('');
  const total = owners.reduce((sum, { repositories }) => sum + repositories.length, 0);

  const shown = filterOwners(owners, search);
  const allShown = shown.flatMap(({ repositories }) => repositories.map(({ id }) => id));

  const add = useMutation({
    mutationFn: async () => {
      const answer = await call(enableRepositories, { body: { providerRepos: selectionBodyOf(owners, chosen) } });
      const me = await call(completeOnboarding, {});
      return { answer, me };
    },
    onSuccess: async ({ answer, me }) => {
      setStored('onboardingStarted', undefined);
      queryClient.setQueryData(account().queryKey, me);
      queryClient.setQueryData(endpointQuery(listProviderRepos, {}).queryKey, answer);
      await router.navigate({ href: '/', replace: true });
    },
    meta: { quiet: true },
  });

  return (
    <StepCard
      title="Add repositories as projects"
      text="Sightline reads commits, pull requests and reviews of the repositories you choose. You can change this later."
      more={{ href: docsHref('repositories', 'imported-data'), words: 'Imported data' }}
      tool={
        <div className={s.search}>
          <SearchBox
            label={`Search ${total} ${total === 1 ? 'repository' : 'repositories'}`}
            value={search}
            onChange={setSearch}
            width={590}
          />
        </div>
      }
    >
      <RepositoryPicker owners={shown} chosen={chosen} onChange={setChosen} />
      {add.error && (
        <div className={s.trouble}>
          <Banner tone="error">{errorMessageOf(add.error, 'The repositories could not be added.')}</Banner>
        </div>
      )}
      <div className={s.foot}>
        <span className={s.sum} aria-live="polite">
          <b>{chosen.size}</b> selected
        </span>
        {allShown.some((id) => !chosen.has(id)) && (
          <Button variant="default" onClick={() => setChosen(new Set([...chosen, ...allShown]))}>
            Select all {allShown.length}
          </Button>
        )}
        <Button disabled={chosen.size === 0} loading={add.isPending || add.isSuccess} onClick={() => add.mutate()}>
          Continue
        </Button>
      </div>
    </StepCard>
  );
}
