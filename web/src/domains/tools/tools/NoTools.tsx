import { Button } from '@mantine/core';
import { IconApps } from '@tabler/icons-react';
import { docsHref } from '#lib/docs.ts';
import { useMayManageIntegrations } from '#lib/rights.ts';
import { DocsLink } from '#ui/DocsLink.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Link } from '#ui/Link.tsx';
import { ScanningAnimation } from '#ui/ScanningAnimation.tsx';
import { toolRangeText } from './ranges.ts';
import type { ToolsList } from './useTools.ts';

/** Explains an empty list: repositories are still being read, no extension reports, or no tool exists (spec 8). */
export function NoTools({ list, isSingleRepository }: { list: ToolsList; isSingleRepository: boolean }) {
  const { query, filterOptions, isScanning } = list;
  const manages = useMayManageIntegrations();
  if (query.ledgerSize !== undefined) {
    return (
      <Empty kind="nothing-yet" title="No tools recorded" icon={icon}>
        The ledger had recorded no tool in this time at this size.
      </Empty>
    );
  }
  if (isScanning && filterOptions && query.tab === 'ci/cd') {
    const { names, done, total } = filterOptions.scanning;
    return (
      <ScanningAnimation names={names}>
        {done} of {total} {total === 1 ? 'repository' : 'repositories'} scanned. The list updates automatically.
      </ScanningAnimation>
    );
  }
  const when =
    query.activeRange === 'any' ? '' : ` in this time: ${toolRangeText(query.activeRange, query).toLowerCase()}`;
  if (query.tab === 'ci/cd' && filterOptions?.scanning.total === 0 && !isSingleRepository) {
    return (
      <Empty
        kind="nothing-yet"
        title="No tools detected"
        icon={icon}
        action={
          <Button component={Link} href={manages ? '/organization/repositories' : '/repositories'} variant="default">
            {manages ? 'Enable repositories' : 'View repositories'}
          </Button>
        }
      >
        No repository is scanned yet. Sightline detects tools from workflows, pipelines and configuration files of
        enabled repositories.
      </Empty>
    );
  }
  return (
    <Empty
      kind="nothing-yet"
      title="No tools detected"
      icon={icon}
      action={
        query.tab === 'developer' ? (
          <Button component={Link} href="/account" variant="default">
            Get the extensions
          </Button>
        ) : query.activeRange === 'any' ? undefined : (
          <Button
            variant="default"
            onClick={() => list.setQuery({ activeRange: 'any', from: undefined, to: undefined })}
          >
            Show any time
          </Button>
        )
      }
    >
      {query.tab === 'developer'
        ? `Editor and browser extensions report the tools of developers. None was reported${when}.`
        : `No workflow, pipeline or configuration file of ${isSingleRepository ? 'this repository' : 'your repositories'} names a tool${when}.`}{' '}
      <DocsLink href={docsHref('tools', 'troubleshooting')}>Troubleshooting</DocsLink>
    </Empty>
  );
}

const icon = <IconApps size={19} stroke={1.6} />;
