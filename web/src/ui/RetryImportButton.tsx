import { Button } from '@mantine/core';

interface RetryImportButtonProps {
  fullName: string;
  isPending: boolean;
  onRetry: () => void;
}

export const RetryImportButton = ({ fullName, isPending, onRetry }: RetryImportButtonProps) => (
  <Button size="compact-sm" variant="default" loading={isPending} onClick={onRetry}>
    Retry<span className="vh"> the import of {fullName}</span>
  </Button>
);
