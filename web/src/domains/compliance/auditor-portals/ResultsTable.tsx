import type { AuditorResultItem } from '@sightline/contract/compliance/portal-results.ts';
import type { ReactNode } from 'react';
import { DataTable } from '#ui/DataTable.tsx';
import type { Column } from '../../../ui/column.ts';
import s from './Portals.module.css';
import { utcTimeText } from './portalLabels.ts';

interface ResultsProps {
  results: readonly AuditorResultItem[] | undefined;
  empty: ReactNode;
  /** A download of each result. */
  fileCell?: (result: AuditorResultItem) => ReactNode;
}

/** Lists results that the auditor signed, with the findings and the key. */
export const ResultsTable = ({ results, empty, fileCell }: ResultsProps) => (
  <DataTable
    tall
    label="Results"
    columns={[
      ...columns,
      ...(fileCell ? [{ key: 'file', header: 'File', width: 160, place: 'side' as const, cell: fileCell }] : []),
    ]}
    rows={results}
    rowKey={({ id }) => id}
    empty={empty}
  />
);

const columns: Column<AuditorResultItem>[] = [
  {
    key: 'title',
    header: 'Result',
    place: 'main',
    cell: ({ title, receivedAt }) => (
      <div className={s.cellFiles}>
        <b>{title}</b>
        <p className="dim">Returned on {utcTimeText(receivedAt)}</p>
      </div>
    ),
  },
  {
    key: 'findings',
    header: 'Findings',
    width: 300,
    place: 'meta',
    cell: ({ findings }) => (
      <ul className={s.cellFiles}>
        {findings.map(({ title, conclusion }) => (
          <li key={title}>
            {title} <span className="dim">{conclusion.replaceAll('_', ' ')}</span>
          </li>
        ))}
      </ul>
    ),
  },
  {
    key: 'key',
    header: 'Key of the auditor',
    width: 320,
    place: 'below',
    cell: ({ keyId }) => <code className={s.words}>{keyId}</code>,
  },
];
