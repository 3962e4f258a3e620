import { Button } from '@mantine/core';
import type { PortalVisit } from '@sightline/contract/compliance/auditor-portals.ts';
import { listOwnResults } from '@sightline/contract/compliance/portal-results.ts';
import { listAuditSamples } from '@sightline/contract/compliance/portal-samples.ts';
import { IconSignature } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { ResultsTable } from '../ResultsTable.tsx';

// The code that builds and signs a result loads with its dialog.
const SignResult = lazy(async () => ({ default: (await import('./SignResult.tsx')).SignResult }));

/** Signs the conclusions of the auditor and lists the returned results. */
export function PortalResultsPanel({ portal }: { portal: PortalVisit }) {
  const [isSigning, setSigning] = useState(false);
  const params = { portalId: portal.id };
  const { data, error, refetch } = useQuery({ ...endpointQuery(listOwnResults, { params }), meta: { quiet: true } });
  const samples = useQuery({ ...endpointQuery(listAuditSamples, { params }), meta: { quiet: true } }).data ?? [];
  const concluded = samples.filter(({ conclusion }) => conclusion !== null);
  return (
    <Panel
      title="Results"
      flush
      aside={
        concluded.length > 0 && (
          <Button
            variant="default"
            leftSection={<IconSignature size={16} aria-hidden />}
            onClick={() => setSigning(true)}
          >
            Sign result
          </Button>
        )
      }
    >
      {error && !data ? (
        <Failure title="The results could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <ResultsTable
          results={data}
          empty={
            <Empty kind="nothing-yet" title="No results">
              Conclude a sample. Then sign your conclusions with your own key and return them as OSCAL assessment
              results.
            </Empty>
          }
        />
      )}
      {isSigning && (
        <Suspense>
          <SignResult portal={portal} samples={concluded} onClose={() => setSigning(false)} />
        </Suspense>
      )}
    </Panel>
  );
}
