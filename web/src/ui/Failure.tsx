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

/** Replaces content that could not be loaded: the reason, with a retry or whom to contact for permission. */
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
        // A retry does not help for missing content.
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
