import {
  type AuditStream,
  type AuditStreamKind,
  auditStreamFailures,
  auditStreamKindNames,
  type auditStreamStates,
  MAX_COUNTED_BACKLOG,
} from '@sightline/contract/organization/audit-streams.ts';
import { IconBucket, IconServer, IconWebhook } from '@tabler/icons-react';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusBadge, type Tone } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { StreamActions } from './StreamActions.tsx';

const icons: Record<AuditStreamKind, typeof IconServer> = { syslog: IconServer, s3: IconBucket, https: IconWebhook };

const streamStateBadges: Record<(typeof auditStreamStates)[number], readonly [Tone, string]> = {
  active: ['green', 'Active'],
  failing: ['red', 'Failing'],
  paused: ['gray', 'Paused'],
};

const placeOf = ({ kind, settings }: AuditStream): string => {
  if (kind === 'syslog') return `${settings.host}:${settings.port}`;
  const { host } = new URL(String(settings.url));
  return kind === 's3' ? `${host}, ${settings.bucket}` : host;
};

const number = new Intl.NumberFormat('en');

export const streamColumns: readonly Column<AuditStream>[] = [
  {
    key: 'name',
    header: 'Destination',
    sort: 'name',
    place: 'main',
    cell: (stream) => {
      const Icon = icons[stream.kind];
      return (
        <RowTitle
          glyph={<Icon size={18} stroke={1.5} aria-hidden />}
          meta={`${auditStreamKindNames[stream.kind]}, ${placeOf(stream)}`}
        >
          <RowName>{stream.name}</RowName>
        </RowTitle>
      );
    },
  },
  {
    key: 'delivered',
    header: 'Last delivered',
    width: 140,
    place: 'metaEnd',
    cell: ({ lastDeliveredAt }) =>
      lastDeliveredAt === null ? <span className="dim">Never</span> : <TimeAgo at={lastDeliveredAt} />,
  },
  {
    key: 'behind',
    header: 'Pending',
    width: 120,
    place: 'meta',
    cell: ({ behind }) =>
      behind === 0 ? (
        <span className="dim">Up to date</span>
      ) : (
        `${number.format(behind)}${behind === MAX_COUNTED_BACKLOG ? '+' : ''} ${behind === 1 ? 'entry' : 'entries'}`
      ),
  },
  {
    key: 'failure',
    header: 'Last error',
    width: 300,
    place: 'meta',
    cell: ({ failure }) =>
      failure === null ? <span className="dim">None</span> : <span>{auditStreamFailures[failure.reason]}</span>,
  },
  {
    key: 'state',
    header: 'State',
    width: 110,
    place: 'side',
    cell: ({ state }) => <StatusBadge tone={streamStateBadges[state][0]}>{streamStateBadges[state][1]}</StatusBadge>,
  },
  {
    key: 'actions',
    header: <span className="vh">Actions</span>,
    width: 48,
    place: 'menu',
    cell: (stream) => <StreamActions stream={stream} />,
  },
];
