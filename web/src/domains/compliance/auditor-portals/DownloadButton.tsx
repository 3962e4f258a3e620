import { Button } from '@mantine/core';
import type { CallInput, Endpoint } from '@sightline/contract/core/endpoint.ts';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { download } from '#lib/download.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { toast } from '#ui/toast.ts';

interface DownloadProps<E extends Endpoint> {
  endpoint: E;
  input: CallInput<E>;
  label: string;
  /** The message if the server gives no reason. */
  failure: string;
  variant?: 'default' | 'filled';
}

/** Saves a file of the server. */
export function DownloadButton<E extends Endpoint & { file: readonly string[] }>({
  endpoint,
  input,
  label,
  failure,
  variant = 'default',
}: DownloadProps<E>) {
  const save = useMutation({
    mutationFn: () => download(endpoint, input),
    meta: { quiet: true },
    onError: (error) => toast.error(errorMessageOf(error, failure)),
  });
  return (
    <Button
      variant={variant}
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      {label}
    </Button>
  );
}
