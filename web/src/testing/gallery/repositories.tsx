import { Menu } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { SeverityCounts, SeverityHead } from '#ui/Severity.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import type { Level } from '#ui/severities.ts';
import { Tag } from '#ui/Tag.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../ui/column.ts';

export interface GalleryRepository {
  name: string;
  provider: string;
  isPrivate: boolean;
  scanned: boolean;
  counts: Partial<Record<Level, number>>;
  changedAt: string;
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

export const repositories: GalleryRepository[] = [
  ['ledger-api', 'github', true, true, [1, 7, 14, 3, 2], 0.1],
  ['checkout-web', 'github', true, true, [0, 4, 18, 11, 6], 0.4],
  ['risk-engine', 'github', true, true, [3, 6, 12, 8, 0], 1],
  ['infra-live', 'gitlab', true, true, [0, 5, 9, 14, 9], 3],
  ['a-repository-with-a-very-long-name-that-has-to-be-cut-somewhere', 'github', true, true, [0, 2, 6, 4, 0], 26],
  ['mobile-app', 'github', true, true, [1, 3, 11, 7, 2], 30],
  ['webhooks-gateway', 'bitbucket', true, false, [0, 4, 5, 6, 0], 50],
  ['design-system', 'unknown', false, true, [0, 0, 4, 5, 3], 300],
].map(([name, provider, isPrivate, scanned, counts, hours]) => ({
  name: String(name),
  provider: String(provider),
  isPrivate: Boolean(isPrivate),
  scanned: Boolean(scanned),
  counts: Object.fromEntries(
    (['critical', 'high', 'medium', 'low', 'info'] as const).map((level, at) => [level, (counts as number[])[at] ?? 0]),
  ),
  changedAt: hoursAgo(Number(hours)),
}));

export const columns: Column<GalleryRepository>[] = [
  {
    key: 'name',
    header: 'Repository',
    sort: 'name',
    place: 'main',
    cell: ({ name, provider, isPrivate }) => (
      <RowTitle glyph={<ProviderIcon provider={provider} />}>
        <span className="truncate">
          <span className="dim">kestrel/</span>
          <RowName>{name}</RowName>
        </span>
        {isPrivate ? <IconLock size={13} className="dim" role="img" aria-label="Private" /> : <Tag>Public</Tag>}
      </RowTitle>
    ),
  },
  {
    key: 'scanner',
    header: 'Code scanner',
    width: 160,
    place: 'side',
    cell: ({ scanned }) => (
      <StatusDot tone={scanned ? 'green' : 'gray'}>{scanned ? 'Scanner active' : 'Not configured'}</StatusDot>
    ),
  },
  {
    key: 'vulnerabilities',
    header: <SeverityHead />,
    width: 334,
    place: 'meta',
    cell: ({ counts }) => <SeverityCounts counts={counts} />,
  },
  {
    key: 'changed',
    header: 'Last change',
    sort: 'date',
    firstDirection: 'desc',
    width: 140,
    cell: ({ changedAt }) => (
      <span className="dim">
        <TimeAgo at={changedAt} />
      </span>
    ),
  },
  {
    key: 'menu',
    header: 'Actions',
    width: 56,
    place: 'menu',
    cell: ({ name }) => (
      <RowMenu label={`Actions for ${name}`}>
        <Menu.Item>Open</Menu.Item>
        <Menu.Item color="red">Disable repository</Menu.Item>
      </RowMenu>
    ),
  },
];
