import { listOwnAssertions } from '@sightline/contract/compliance/portal-assertions.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { AssertionList } from '../AssertionList.tsx';

/** Shows the management assertions to the auditor. */
export function PortalAssertionsPanel({ portalId }: { portalId: string }) {
  const { data, error, refetch } = useQuery({
    ...endpointQuery(listOwnAssertions, { params: { portalId } }),
    staleTime: 60_000,
    meta: { quiet: true },
  });
  return (
    <Panel title="Management assertion" flush>
      {error && !data ? (
        <Failure title="The assertions could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <Empty kind="nothing-yet" title="No management assertion">
          The organization has not signed off an assertion yet.
        </Empty>
      ) : (
        <AssertionList assertions={data ?? []} />
      )}
    </Panel>
  );
}
