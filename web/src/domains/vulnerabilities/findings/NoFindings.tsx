import { Button } from '@mantine/core';
import type { FindingStats } from '@sightline/contract/vulnerabilities/findings.ts';
import { IconBug } from '@tabler/icons-react';
import { hasPermission, useSession } from '#lib/session.ts';
import { Empty } from '#ui/Empty.tsx';
import { Link } from '#ui/Link.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';

interface NoFindingsProps {
  stats: FindingStats | undefined;
  /** Whether the list has one repository. */
  single: boolean;
  onShowClosed: () => void;
}

/** Shown if no finding is open. Distinguishes a clean result from a missing scan (spec 8). */
export function NoFindings({ stats, single, onShowClosed }: NoFindingsProps) {
  const manages = hasPermission(useSession(), 'manage:integrations');
  if (stats && stats.lastScanAt !== null) {
    return (
      <Empty
        kind="nothing-yet"
        title="No vulnerabilities detected"
        icon={icon}
        action={
          <Button variant="default" onClick={onShowClosed}>
            View fixed and dismissed vulnerabilities
          </Button>
        }
      >
        No open vulnerabilities. The last scan finished <TimeAgo at={stats.lastScanAt} />.
      </Empty>
    );
  }
  return (
    <Empty
      kind="nothing-yet"
      title="No vulnerabilities detected"
      icon={icon}
      action={
        <Button component={Link} href="/integrations/security-scanners" {...(!manages && { variant: 'default' })}>
          {manages ? 'Connect a scanner' : 'View scanners'}
        </Button>
      }
    >
      No scan results for {single ? 'this repository' : 'your repositories'} yet.{' '}
      {manages ? 'Connect one, or' : 'An account owner can connect one, or'} upload the SARIF file of any scanner
      {single ? '.' : ' on the page of a repository.'}
    </Empty>
  );
}

const icon = <IconBug size={19} stroke={1.6} />;
