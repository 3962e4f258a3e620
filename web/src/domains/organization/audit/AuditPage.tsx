import { Button } from '@mantine/core';
import type { ApiError } from '@sightline/contract/core/client.ts';
import { type AuditPage as Answer, getAuditFilters, listAudit } from '@sightline/contract/organization/audit.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { useMayManageIntegrations } from '#lib/rights.ts';
import { hasFilters, useUrlQuery } from '#lib/url-query.ts';
import { ExportMenu, ExportProgress } from '#ui/Export.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Link } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { ListViews } from '../../timeline/views/ListViews.tsx';
import { AuditFilterRow } from './AuditFilterRow.tsx';
import { AuditPager } from './AuditPager.tsx';
import { AuditTable } from './AuditTable.tsx';
import {
  type AuditPageQuery,
  auditFilterTexts,
  auditQuery,
  clearedAuditFilters,
  firstPagePatch,
} from './auditQuery.ts';
import { LinkedEntry } from './LinkedEntry.tsx';
import { NoEntries } from './NoEntries.tsx';
import { exportFormats, useAuditExport } from './useAuditExport.ts';

/** Lists changes in Sightline itself, newest first. The address holds the query. */
export function AuditPage() {
  const [query, setQuery] = useUrlQuery(auditQuery);
  const { entry, ...question } = query;
  const filters = useQuery({ ...endpointQuery(getAuditFilters, {}), meta: { quiet: true } });
  const auditResult = useQuery<Answer, ApiError>({
    ...endpointQuery(listAudit, { query: question }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const exporting = useAuditExport();
  const manages = useMayManageIntegrations();
  const page = auditResult.data;
  const isFiltered = hasFilters(auditQuery, query, ['older', 'newer', 'entry']);
  const narrow = (patch: Partial<AuditPageQuery>) => setQuery({ ...firstPagePatch(query), ...patch });
  const clear = () => narrow(clearedAuditFilters);
  return (
    <>
      <PageHeader
        title="Audit log"
        help={{ href: docsHref('roles', 'auditor'), about: 'the audit log' }}
        note="Changes in Sightline with actor, time and IP address."
        freshness={
          page && (
            <>
              As of <TimeAgo at={page.asOf} />
            </>
          )
        }
        actions={
          <>
            {manages && (
              <Button component={Link} href="/audit/streams" variant="default">
                Configure streaming
              </Button>
            )}
            <ListViews list="audit-log" />
            <ExportMenu
              formats={exportFormats}
              disabled={exporting.state !== undefined}
              onExport={(format) => exporting.start(format, question)}
            />
          </>
        }
      />
      {exporting.state && (
        <ExportProgress
          state={exporting.state}
          label="Exporting the audit log"
          noun="entries"
          onStop={exporting.stop}
          onRetry={exporting.retry}
        />
      )}
      <AuditFilterRow query={query} narrow={narrow} filters={filters.data} isFiltered={isFiltered} onClear={clear} />
      {entry !== undefined && page && !page.entries.some(({ id }) => id === entry) && (
        <LinkedEntry id={entry} narrow={narrow} onClose={() => setQuery({ entry: undefined })} />
      )}
      <Panel flush>
        {auditResult.isError && !page ? (
          <Failure
            title="The audit log could not be loaded"
            error={auditResult.error}
            onRetry={() => void auditResult.refetch()}
          />
        ) : page?.entries.length === 0 ? (
          <NoEntries
            page={page}
            words={auditFilterTexts(query, filters.data)}
            isFiltered={isFiltered}
            onClear={clear}
          />
        ) : (
          <AuditTable
            entries={page?.entries}
            stale={auditResult.isPlaceholderData}
            opened={entry}
            onOpen={(id) => setQuery({ entry: id })}
            narrow={narrow}
          />
        )}
        {page && <AuditPager page={page} query={query} setQuery={setQuery} />}
      </Panel>
    </>
  );
}
