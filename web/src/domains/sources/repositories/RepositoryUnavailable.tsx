import type { ApiError } from '@sightline/contract/core/client.ts';
import { Failure } from '#ui/Failure.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';

/** Shown if the response failed. The repository may exist. */
export const RepositoryUnavailable = ({ error, onRetry }: { error: ApiError; onRetry: () => void }) => (
  <>
    <PageHeader title="Repository" back={{ label: 'Repositories', href: '/repositories' }} />
    <Panel>
      <Failure title="The repository could not be loaded" error={error} onRetry={onRetry} />
    </Panel>
  </>
);
