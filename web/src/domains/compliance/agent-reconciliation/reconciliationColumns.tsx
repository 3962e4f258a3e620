import type { ReconciledAgent, ReconciliationGroup } from '@sightline/contract/compliance/agent-reconciliation.ts';
import { IconArrowBarToDown, IconGitMerge, IconSparkles } from '@tabler/icons-react';
import { Faces } from '#ui/Person.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import {
  confidenceTexts,
  costText,
  joinTexts,
  missingEvidenceTexts,
  reconciliationBadges,
  withoutCostText,
} from '#ui/reconciliationTexts.ts';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import s from './AgentReconciliation.module.css';

const dash = <span className="dim">–</span>;

const titleOf = ({ title, number, mergeSha }: ReconciledAgent['change']): string =>
  title ?? (number === null ? `Direct push ${(mergeSha ?? '').slice(0, 7)}`.trim() : `#${number}`);

export const reconciledAgentColumns: readonly Column<ReconciledAgent>[] = [
  {
    key: 'change',
    header: 'Change',
    place: 'main',
    cell: ({ change }) => (
      <RowTitle
        glyph={
          change.number === null ? (
            <IconArrowBarToDown size={18} stroke={1.6} aria-hidden />
          ) : (
            <IconGitMerge size={18} stroke={1.6} aria-hidden />
          )
        }
        meta={
          <span className={s.place}>
            <ProviderIcon provider={change.repository.provider} size={14} labelled />
            <span className="truncate">
              {change.repository.fullName}
              {change.number !== null && ` #${change.number}`} into {change.branch}
            </span>
          </span>
        }
      >
        <RowName>{titleOf(change)}</RowName>
      </RowTitle>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    width: 184,
    place: 'meta',
    cell: ({ status, missing }) => (
      <span className={s.stack}>
        <StatusBadge tone={reconciliationBadges[status][0]}>{reconciliationBadges[status][1]}</StatusBadge>
        {missing !== null && <span className={s.note}>{missingEvidenceTexts[missing]}</span>}
      </span>
    ),
  },
  {
    key: 'agent',
    header: 'Agent',
    width: 136,
    place: 'below',
    cell: ({ agent, models }) =>
      agent === null ? (
        <span className="dim">No agent</span>
      ) : (
        <span className={s.stack}>
          <span>{agent}</span>
          {models.length > 0 && <span className={s.note}>{models.join(', ')}</span>}
        </span>
      ),
  },
  {
    key: 'people',
    header: 'People',
    width: 80,
    cell: ({ people }) => (
      <Faces
        people={people.map(({ name, avatarUrl }) => ({
          name: name ?? 'Unknown person',
          picture: avatarUrl ?? undefined,
        }))}
      />
    ),
  },
  {
    key: 'joins',
    header: 'Joined by',
    width: 178,
    cell: ({ joins, confidence }) =>
      confidence === null ? (
        dash
      ) : (
        <span className={s.stack}>
          <span className={s.sentence}>{joins.map((join) => joinTexts[join]).join(', ')}</span>
          <span className={s.note}>{confidenceTexts[confidence]}</span>
        </span>
      ),
  },
  {
    key: 'cost',
    header: 'Cost',
    width: 100,
    cell: ({ cost, sessions, sessionsWithoutCost }) =>
      sessions === 0 ? (
        dash
      ) : (
        <span className={s.stack}>
          <span className="num">{costText(cost) ?? 'Not reported'}</span>
          {sessionsWithoutCost > 0 && cost !== null && (
            <span className={s.note}>{withoutCostText(sessionsWithoutCost)}</span>
          )}
        </span>
      ),
  },
  {
    key: 'date',
    header: 'Merged',
    sort: 'date',
    firstDirection: 'desc',
    width: 128,
    place: 'metaEnd',
    cell: ({ change }) => <TimeAgo at={change.mergedAt} />,
  },
];

const countColumn = (key: keyof ReconciliationGroup['counts'], width: number): Column<ReconciliationGroup> => ({
  key,
  header: reconciliationBadges[key][1],
  width,
  cell: ({ counts }) => (counts[key] === 0 ? dash : <span className="num">{counts[key]}</span>),
});

/** '7 observed sessions, 8 declared only': narrow screens show no other counts. */
const groupText = (sessions: number, counts: ReconciliationGroup['counts']): string =>
  [
    sessions === 1 ? '1 observed session' : `${sessions} observed sessions`,
    ...(counts.declared_only > 0 ? [`${counts.declared_only} declared only`] : []),
    ...(counts.observed_only > 0 ? [`${counts.observed_only} observed only`] : []),
  ].join(', ');

/** The columns of a grouping; `header` names what it groups by. */
export const groupColumns = (header: string): readonly Column<ReconciliationGroup>[] => [
  {
    key: 'name',
    header,
    place: 'main',
    cell: ({ name, sessions, counts }) => (
      <RowTitle
        glyph={<IconSparkles size={18} stroke={1.5} aria-hidden />}
        meta={<span className="truncate">{groupText(sessions, counts)}</span>}
      >
        <RowName>{name}</RowName>
      </RowTitle>
    ),
  },
  countColumn('declared_and_observed', 150),
  countColumn('declared_only', 120),
  countColumn('observed_only', 120),
  countColumn('missing_evidence', 140),
  {
    key: 'cost',
    header: 'Cost per change',
    width: 170,
    place: 'side',
    cell: ({ cost, changes, sessions, sessionsWithoutCost }) =>
      sessions === 0 ? (
        dash
      ) : (
        <span className={s.stack}>
          <span className="num">{cost === null ? 'Not reported' : costText(cost / Math.max(1, changes))}</span>
          {sessionsWithoutCost > 0 && <span className={s.note}>{withoutCostText(sessionsWithoutCost)}</span>}
        </span>
      ),
  },
];
