import { getRepository, type RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, Suspense, useDeferredValue } from 'react';
import { ask } from '#lib/api.ts';
import { useFlag } from '#lib/flags.ts';
import { type RepositoryTab, repositoryHref } from '#lib/repository-href.ts';
import { may, useSession } from '#lib/session.ts';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { type RepositoryAddress, useAddress } from './address.ts';
import { HostNotice } from './HostNotice.tsx';
import { ImportNotice } from './ImportNotice.tsx';
import { RepositoryHeader } from './RepositoryHeader.tsx';
import { RepositoryNotFound } from './RepositoryNotFound.tsx';
import { RepositoryUnavailable } from './RepositoryUnavailable.tsx';
import { TruncatedNotice } from './TruncatedNotice.tsx';

/** What stands under each tab. Given by the router, since other features bring tabs of their own. */
export type RepositoryPages = Readonly<Record<RepositoryTab, ComponentType<RepositoryTabProps>>>;

export interface RepositoryTabProps {
  /** undefined while it is on its way. */
  repository: RepositoryDetail | undefined;
}

/** The head of a repository and its tabs; the address says which of them is open (spec 2.9). */
export function RepositoryLayout({ pages }: { pages: RepositoryPages }) {
  const address = useAddress();
  return address ? <Repository address={address} pages={pages} /> : <RepositoryNotFound />;
}

function Repository({ address, pages }: { address: RepositoryAddress; pages: RepositoryPages }) {
  const { provider, repoPath, tab } = address;
  // A tab that is still being fetched leaves the one before it in place: the head stays, and so does the focus.
  const Page = pages[useDeferredValue(tab)];
  const showsFindings = useFlag('vulnerabilities');
  const vulnerabilities = may(useSession(), 'read:vulnerabilities') && showsFindings;
  const tools = may(useSession(), 'read:events');
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
          ...(vulnerabilities
            ? [
                { label: 'Vulnerabilities', href: hrefOf('vulnerabilities'), count: openFindings(repository.data) },
                { label: 'Scans', href: hrefOf('scans') },
              ]
            : []),
          ...(tools ? [{ label: 'CI/CD Tool Inventory', href: hrefOf('tools') }] : []),
          { label: 'Contributors', href: hrefOf('contributors'), count: counts?.contributors },
          { label: 'Settings', href: hrefOf('settings') },
        ]}
      />
      {repository.data && <HostNotice repository={repository.data} />}
      {repository.data && <ImportNotice repository={repository.data} />}
      {repository.data && <TruncatedNotice repository={repository.data} />}
      <Suspense>
        <Page repository={repository.data} />
      </Suspense>
    </>
  );
}

/** Nothing before the first scan: no number is not the same as none. */
const openFindings = (repository: RepositoryDetail | undefined) =>
  repository?.severityCounts
    ? Object.values(repository.severityCounts).reduce((sum, count) => sum + count, 0)
    : undefined;
