import type { ControlStatus, VerdictCounts } from '@sightline/contract/compliance/controls.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import s from './ControlResults.module.css';
import type { Column } from './column.ts';
import { StatusBadge } from './StatusBadge.tsx';
import { VerdictBar } from './VerdictBar.tsx';
import { statusBadges } from './verdicts.ts';

interface Result {
  id: ControlId;
  /** Undefined until known. */
  title: string | undefined;
  status: ControlStatus;
  counts: VerdictCounts;
}

export const ControlName = ({ id, title }: Pick<Result, 'id' | 'title'>) => (
  <span className={s.name}>
    <b>{id}</b> <span className="truncate">{title}</span>
  </span>
);

/** The results of controls in a snapshot, the same for owners and in auditor portals. */
export const resultColumns: readonly Column<Result>[] = [
  { key: 'id', header: 'Control', place: 'main', cell: ControlName },
  {
    key: 'status',
    header: 'Status',
    width: 140,
    place: 'side',
    cell: ({ status }) => <StatusBadge tone={statusBadges[status][0]}>{statusBadges[status][1]}</StatusBadge>,
  },
  { key: 'population', header: 'Evaluated', width: 100, cell: ({ counts }) => counts.population },
  {
    key: 'counts',
    header: 'Verdicts',
    width: 360,
    place: 'meta',
    cell: ({ counts }) => <VerdictBar counts={counts} />,
  },
];
