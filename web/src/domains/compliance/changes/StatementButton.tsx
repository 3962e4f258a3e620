import { Button } from '@mantine/core';
import { type Change, getChangeVsa } from '@sightline/contract/compliance/changes.ts';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { saveFile } from '#lib/download.ts';

/** Downloads the observed facts of the change as an in-toto statement in terms of the SLSA source track. */
export function StatementButton({ change }: { change: Change }) {
  const saving = useMutation({
    mutationFn: () => call(getChangeVsa, { params: { id: change.id } }),
    onSuccess: (statement) =>
      saveFile(
        new Blob([JSON.stringify(statement, null, 2)], { type: 'application/json' }),
        `${change.id}.intoto.json`,
      ),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={15} aria-hidden />}
      loading={saving.isPending}
      onClick={() => saving.mutate()}
    >
      Download in-toto statement
    </Button>
  );
}
