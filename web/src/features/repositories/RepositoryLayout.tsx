import { getRepository } from '@sightline/contract/repositories.ts';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, Suspense, useDeferredValue } from 'react';
import { ask } from '#lib/api.ts';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { type RepositoryAddress, type RepositoryTab, repositoryHref, useAddress } from './address.ts';
import { ImportNotice } from './ImportNotice.tsx';
import { RepositoryHeader } from './RepositoryHeader.tsx';
import { RepositoryNotFound } from './RepositoryNotFound.tsx';
import { RepositoryUnavailable } from './RepositoryUnavailable.tsx';

/** What stands under each tab. Given by the router, since other features bring tabs of their own. */
export type RepositoryPages = Readonly<Record<RepositoryTab, ComponentType>>;

/** The head of a repository and its tabs; the address says which of them is open (spec 2.9). */
export function RepositoryLayout({ pages }: { pages: RepositoryPages }) {
  const address = useAddress();
  return address ? <Repository address={address} pages={pages} /> : <RepositoryNotFound />;
}

function Repository({ address, pages }: { address: RepositoryAddress; pages: RepositoryPages }) {
  const { provider, repoPath, tab } = address;
  // A tab that is still being fetched leaves the one before it in place: the head stays, and so does the focus.
  const Page = pages[useDeferredValue(tab)];
  const repository = useQuery({ ...ask(getRepository, { params: { provider, repoPath } }), meta: { quiet: true } });
  if (repository.isError && !repository.data) {
    return repository.error.status === 404 ? (
      <RepositoryNotFound name={repoPath} />
    ) : (
      <RepositoryUnavailable error={repository.error} onRetry={() => repository.refetch()} />
    );
  }
  const hrefOf = (to: RepositoryTab) => repositoryHref({ provider, fullName: repoPath }, to);
  const counts = repository.data?.counts;
  return (
    <>
      <RepositoryHeader address={address} repository={repository.data} />
      <LinkTabs
        label="Repository"
        current={hrefOf(tab)}
        tabs={[
          { label: 'Pull Requests', href: hrefOf('pull-requests'), count: counts?.pullRequests },
          { label: 'Contributors', href: hrefOf('contributors'), count: counts?.contributors },
          { label: 'Settings', href: hrefOf('settings') },
        ]}
      />
      {repository.data && <ImportNotice repository={repository.data} />}
      <Suspense>
        <Page />
      </Suspense>
    </>
  );
}
