import { scanSourceDefinitions } from '@sightline/contract/core/scan-sources.ts';
import type { RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import type { Scan } from '@sightline/contract/vulnerabilities/scans.ts';
import { IconScan } from '@tabler/icons-react';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { IncompleteScan } from './IncompleteScan.tsx';
import { ScanCounts } from './ScanCounts.tsx';
import { ScanState } from './ScanState.tsx';
import s from './Scans.module.css';
import { SkippedResults } from './SkippedResults.tsx';
import { shortRef } from './UploadCard.tsx';

export const scanColumnsOf = (repository: RepositoryDetail): readonly Column<Scan>[] => [
  {
    key: 'scanner',
    header: 'Scanner',
    place: 'main',
    cell: ({ tool, category, ref, commit }) => (
      <RowTitle
        glyph={<IconScan size={18} stroke={1.5} aria-hidden />}
        meta={
          <>
            <span className="mono">{shortRef(ref)}</span>
            {commit && <span className="mono"> @ {commit.slice(0, 7)}</span>}
            {category && ` · ${category}`}
          </>
        }
      >
        <RowName>{tool.name}</RowName>
        {tool.version && <span className={s.version}>{tool.version}</span>}
      </RowTitle>
    ),
  },
  {
    key: 'result',
    header: 'Result',
    width: 360,
    place: 'meta',
    cell: (scan) => (
      <div className={s.outcome}>
        {scan.state === 'done' && scan.counts ? <ScanCounts counts={scan.counts} /> : <ScanState scan={scan} />}
        {scan.error && <span className={s.why}>{scan.error}</span>}
        <IncompleteScan scan={scan} repository={repository} />
        <SkippedResults scan={scan} />
      </div>
    ),
  },
  {
    key: 'source',
    header: 'Category',
    width: 180,
    cell: ({ source }) => <span className={s.meta}>{scanSourceDefinitions[source].label}</span>,
  },
  {
    key: 'by',
    header: 'By',
    width: 190,
    cell: ({ startedBy }) => <span className={`truncate ${s.meta}`}>{startedBy}</span>,
  },
  {
    key: 'when',
    header: 'When',
    width: 120,
    place: 'side',
    cell: ({ receivedAt }) => <TimeAgo at={receivedAt} />,
  },
];
