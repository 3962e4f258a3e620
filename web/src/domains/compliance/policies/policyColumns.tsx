import type { Policy, PolicyStatus } from '@sightline/contract/compliance/policies.ts';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusBadge, StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { VerdictBar } from '#ui/VerdictBar.tsx';
import { statusBadges } from '#ui/verdicts.ts';
import type { Column } from '../../../ui/column.ts';
import { policyKindTexts, policyModeTexts, policyScopeText } from './policyLabels.ts';

/** `status`: the compliance of each policy; undefined for archived policies and while loading. */
export const policyColumns = (status: readonly PolicyStatus[] | undefined): readonly Column<Policy>[] => [
  {
    key: 'name',
    header: 'Policy',
    sort: 'name',
    place: 'main',
    cell: ({ name, kind, hasPendingChange, ...policy }) => {
      const [kindName, , Icon] = policyKindTexts[kind];
      return (
        <RowTitle
          glyph={<Icon size={18} stroke={1.5} aria-hidden />}
          meta={`${kindName} · ${policyScopeText(policy)}${hasPendingChange ? ' · change pending' : ''}`}
        >
          <RowName>{name}</RowName>
        </RowTitle>
      );
    },
  },
  {
    key: 'mode',
    header: 'Mode',
    width: 120,
    place: 'side',
    cell: ({ mode }) => <StatusDot tone={policyModeTexts[mode][0]}>{policyModeTexts[mode][1]}</StatusDot>,
  },
  ...(status ? [keptColumn(status), countsColumn(status)] : []),
  {
    key: 'since',
    header: 'Changed',
    sort: 'date',
    firstDirection: 'desc',
    width: 120,
    place: 'metaEnd',
    cell: ({ from, until }) => <TimeAgo at={until ?? from} />,
  },
];

const keptColumn = (status: readonly PolicyStatus[]): Column<Policy> => ({
  key: 'kept',
  header: 'Status',
  width: 132,
  cell: ({ id }) => {
    const [tone, words] = statusBadges[status.find(({ policyId }) => policyId === id)?.status ?? 'not_evaluated'];
    return <StatusBadge tone={tone}>{words}</StatusBadge>;
  },
});

const countsColumn = (status: readonly PolicyStatus[]): Column<Policy> => ({
  key: 'counts',
  header: 'Pass, fail, missing evidence',
  width: 260,
  place: 'meta',
  cell: ({ id }) => {
    const counts = status.find(({ policyId }) => policyId === id)?.counts;
    return counts ? <VerdictBar counts={counts} /> : <span className="dim">Not evaluated</span>;
  },
});
