import { Button } from '@mantine/core';
import type { ApiError } from '@sightline/contract/core/client.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Empty } from './Empty.tsx';

interface FailureProps {
  /** 'The repositories could not be loaded'. */
  title: string;
  error: ApiError;
  onRetry: () => void;
}

/** In the place of what could not be loaded: what happened and the way to try again, or whom to ask for the right. */
export function Failure({ title, error, onRetry }: FailureProps) {
  if (error.refusal?.code === 'forbidden') {
    return (
      <Empty kind="not-allowed" title="Your role does not include this">
        {error.refusal.message} An account owner of your organization can give you another role.
      </Empty>
    );
  }
  return (
    <Empty
      kind="nothing-yet"
      title={title}
      icon={<IconAlertTriangle size={19} stroke={1.6} />}
      action={
        // What is not there is not there a moment later either.
        error.status !== 404 && (
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {error.refusal?.message ?? 'The server could not be reached. Check your connection.'}
    </Empty>
  );
}
