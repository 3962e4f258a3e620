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

/** In the place of a page of the portal while it is on its way, or where it is not there. */
export const Missing = ({ title, back, error, onRetry }: MissingProps) => (
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
