import { Button } from '@mantine/core';
import type { ApiError } from '@sightline/contract/client.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Empty } from '#ui/Empty.tsx';

interface Props {
  title: string;
  error: ApiError;
  onRetry: () => void;
}

/** In the place of what could not be loaded: what happened, and the way to try again. */
export const Failure = ({ title, error, onRetry }: Props) => (
  <Empty
    kind="nothing-yet"
    title={title}
    icon={<IconAlertTriangle size={19} stroke={1.6} />}
    action={
      <Button variant="default" onClick={onRetry}>
        Try again
      </Button>
    }
  >
    {error.refusal?.message ?? 'The server could not be reached. Check your connection.'}
  </Empty>
);
