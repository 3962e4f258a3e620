import { downloadPortalResult, listPortalResults } from '@sightline/contract/compliance/portal-results.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { DownloadButton } from './DownloadButton.tsx';
import { ResultsTable } from './ResultsTable.tsx';

/** Lists the results that the auditor signed and returned. */
export function PortalResults({ portalId }: { portalId: string }) {
  const { data, error, refetch } = useQuery({
    ...endpointQuery(listPortalResults, { params: { portalId } }),
    meta: { quiet: true },
  });
  return (
    <Panel title="Results" flush>
      {error && !data ? (
        <Failure title="The results could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <ResultsTable
          results={data}
          fileCell={({ id }) => (
            <DownloadButton
              endpoint={downloadPortalResult}
              input={{ params: { portalId, resultId: id } }}
              label="Download"
              failure="The result was not downloaded. Try again."
            />
          )}
          empty={
            <Empty kind="nothing-yet" title="No results">
              Results that the auditor signs appear here. Compare the key with the auditor through another channel.
            </Empty>
          }
        />
      )}
    </Panel>
  );
}
