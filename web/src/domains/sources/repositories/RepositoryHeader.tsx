import { Button } from '@mantine/core';
import type { RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import { IconExternalLink, IconLock, IconTimeline, IconWorld } from '@tabler/icons-react';
import { docsHref } from '#lib/docs.ts';
import { useFlag } from '#lib/flags.ts';
import { Link } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { providerName } from '#ui/providerName.ts';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { RepositoryAddress } from './address.ts';
import s from './Repository.module.css';
import { ScannerStatus } from './ScannerStatus.tsx';

interface RepositoryHeaderProps {
  address: RepositoryAddress;
  /** Undefined while loading; the address provides the name. */
  repository: RepositoryDetail | undefined;
}

export const RepositoryHeader = ({ address, repository }: RepositoryHeaderProps) => (
  <PageHeader
    title={repository?.fullName ?? address.repoPath}
    help={{ href: docsHref('repositories', 'repository-details'), about: 'one repository' }}
    back={{ label: 'Repositories', href: '/repositories' }}
    before={<ProviderIcon provider={address.provider} size={20} labelled />}
    note={repository ? <Meta repository={repository} /> : <span className={s.placeholder} />}
    actions={
      repository && (
        <>
          <Button
            component={Link}
            href={`/explore?context=${repository.exploreContext.contextId}`}
            variant="default"
            leftSection={<IconTimeline size={15} aria-hidden />}
          >
            Explore events
          </Button>
          <Button
            component="a"
            href={repository.url}
            target="_blank"
            rel="noreferrer"
            variant="default"
            rightSection={<IconExternalLink size={14} aria-hidden />}
          >
            Open in {providerName(repository.provider)}
            <span className="vh">, opens a new tab</span>
          </Button>
        </>
      )
    }
  />
);

function Meta({ repository: { isPrivate, lastChange, counts, scannerStatus } }: { repository: RepositoryDetail }) {
  const Icon = isPrivate ? IconLock : IconWorld;
  const showsFindings = useFlag('vulnerabilities');
  return (
    <>
      <span className={s.marker}>
        <Icon size={14} stroke={1.75} aria-hidden />
        {isPrivate ? 'Private' : 'Public'}
      </span>
      {showsFindings && <ScannerStatus status={scannerStatus} full />}
      {counts.commits > 0 && (
        <span className="num">
          {number.format(counts.commits)} {counts.commits === 1 ? 'commit' : 'commits'}
        </span>
      )}
      {lastChange && (
        <span>
          Last change <TimeAgo at={lastChange} />
        </span>
      )}
    </>
  );
}

const number = new Intl.NumberFormat('en-GB');
