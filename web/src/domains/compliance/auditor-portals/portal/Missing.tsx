import type { ApiError } from '@sightline/contract/core/client.ts';
import { Failure } from '#ui/Failure.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';

interface MissingProps {
  title: string;
  back: { label: string; href: string };
  error: ApiError | null;
  onRetry: () => void;
}

/** Replaces a page of the portal while it is loading or if it does not exist. */
export const PortalPagePlaceholder = ({ title, back, error, onRetry }: MissingProps) => (
  <>
    <PageHeader title={title} back={back} />
    {error ? (
      <Panel>
        <Failure title={`${title} could not be loaded`} error={error} onRetry={onRetry} />
      </Panel>
    ) : (
      <p className="dim" role="status" aria-busy>
        Loading
      </p>
    )}
  </>
);
