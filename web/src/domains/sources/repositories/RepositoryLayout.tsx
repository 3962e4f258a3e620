import { getRepository, type RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, Suspense, useDeferredValue } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { useFlag } from '#lib/flags.ts';
import { type RepositoryTab, repositoryHref } from '#lib/repository-href.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { type RepositoryAddress, useRepositoryAddress } from './address.ts';
import { HostNotice } from './HostNotice.tsx';
import { ImportNotice } from './ImportNotice.tsx';
import { RepositoryHeader } from './RepositoryHeader.tsx';
import { RepositoryNotFound } from './RepositoryNotFound.tsx';
import { RepositoryUnavailable } from './RepositoryUnavailable.tsx';
import { TruncatedNotice } from './TruncatedNotice.tsx';

/** The page of each tab, provided by the router because other features add tabs. */
export type RepositoryPages = Readonly<Record<RepositoryTab, ComponentType<RepositoryTabProps>>>;

export interface RepositoryTabProps {
  /** Undefined while loading. */
  repository: RepositoryDetail | undefined;
}

/** Header and tabs of a repository. The address determines the tab (spec 2.9). */
export function RepositoryLayout({ pages }: { pages: RepositoryPages }) {
  const address = useRepositoryAddress();
  return address ? <Repository address={address} pages={pages} /> : <RepositoryNotFound />;
}

function Repository({ address, pages }: { address: RepositoryAddress; pages: RepositoryPages }) {
  const { provider, repoPath, tab } = address;
  // While a tab loads, the previous one stays, so that header and focus are kept.
  const Page = pages[useDeferredValue(tab)];
  const showsFindings = useFlag('vulnerabilities');
  const vulnerabilities = hasPermission(useSession(), 'read:vulnerabilities') && showsFindings;
  const tools = hasPermission(useSession(), 'read:events');
  const repository = useQuery({
    ...endpointQuery(getRepository, { params: { provider, repoPath } }),
    meta: { quiet: true },
  });
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

/** Returns undefined before the first scan, which is not the same as zero findings. */
const openFindings = (repository: RepositoryDetail | undefined) =>
  repository?.severityCounts
    ? Object.values(repository.severityCounts).reduce((sum, count) => sum + count, 0)
    : undefined;
