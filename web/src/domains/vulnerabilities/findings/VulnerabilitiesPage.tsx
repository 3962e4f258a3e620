import { listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { ExportMenu, ExportProgress } from '#ui/Export.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { ListViews } from '../../timeline/views/ListViews.tsx';
import { WaiversLink } from '../waivers/WaiversLink.tsx';
import { FindingsList, useFindingStats } from './FindingsList.tsx';
import { exportFormats, useFindingsExport } from './useFindingsExport.ts';

/** Lists the findings in the organization's repositories (spec 2.11). The address holds the query. */
export function VulnerabilitiesPage() {
  const list = usePagedList(listFindings);
  const lastScanAt = useFindingStats(list.query)?.lastScanAt;
  const exporting = useFindingsExport();
  const isCurrent = list.query.ledgerSize === undefined;
  return (
    <>
      <PageHeader
        title="Vulnerabilities"
        help={{ href: docsHref('vulnerabilities'), about: 'vulnerabilities' }}
        freshness={
          isCurrent &&
          lastScanAt !== null && (
            // As wide as the text, so that the actions do not move once it is known.
            <span style={lastScanAt === undefined ? { visibility: 'hidden' } : undefined}>
              Last scan {lastScanAt === undefined ? '10 minutes ago' : <TimeAgo at={lastScanAt} />}
            </span>
          )
        }
        actions={
          <>
            <WaiversLink />
            <ListViews list="findings" />
            <ExportMenu
              // The other formats contain data that is not recorded.
              formats={isCurrent ? exportFormats : exportFormats.filter(({ format }) => format === 'csv')}
              disabled={exporting.state !== undefined || list.total === 0}
              onExport={(format) => exporting.start(format, list.query)}
            />
            <CopyButton value={window.location.href} label="Copy link to this view" framed />
          </>
        }
      />
      {exporting.state && (
        <ExportProgress
          state={exporting.state}
          label="Exporting vulnerabilities"
          noun="vulnerabilities"
          onStop={exporting.stop}
          onRetry={exporting.retry}
        />
      )}
      <FindingsList list={list} />
    </>
  );
}
