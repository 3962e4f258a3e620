import { Button, Checkbox } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { rotateDirectoryToken, testDirectory } from '@sightline/contract/organization/directory.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { toast } from '#ui/toast.ts';
import { DisconnectDialog } from './DisconnectDialog.tsx';
import { TokenDialog } from './TokenDialog.tsx';

/** The owner's actions for a connected directory. */
export function DirectoryActions() {
  const [disconnecting, { open: disconnect, close: keep }] = useDisclosure(false);
  const [rotating, { open: rotate, close: stop }] = useDisclosure(false);
  const test = useChange(
    () => call(testDirectory, {}),
    ({ ok, problems }) => {
      if (ok) toast.success('The directory is connected, and its users can be members.');
      else toast.error(problems.join(' '), 'The directory needs attention');
    },
    { failed: 'The directory could not be tested.' },
  );
  return (
    <>
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        Test connection
      </Button>
      <Button variant="default" onClick={rotate}>
        Rotate token
      </Button>
      <Button variant="default" onClick={disconnect}>
        Disconnect
      </Button>
      {rotating && <RotateDialog onClose={stop} />}
      <DisconnectDialog opened={disconnecting} onClose={keep} />
    </>
  );
}

function RotateDialog({ onClose }: { onClose: () => void }) {
  const [revokePrevious, setRevokePrevious] = useState(false);
  const rotate = useChange(() => call(rotateDirectoryToken, { body: { revokePrevious } }), undefined, { quiet: true });
  if (rotate.data) return <TokenDialog title="The token is rotated" answer={rotate.data} onClose={onClose} />;
  return (
    <FormDialog
      title="Rotate the token"
      submit="Rotate"
      ready
      pending={rotate.isPending}
      problem={rotate.error ? errorMessageOf(rotate.error) : undefined}
      onClose={onClose}
      onSubmit={() => rotate.mutate()}
    >
      <p>Enter the new token in the directory. The previous one stays valid for 24 hours.</p>
      <Checkbox
        label="Revoke the previous token at once"
        description="If it may be known to others. The directory cannot send changes until it has the new one."
        checked={revokePrevious}
        onChange={({ currentTarget }) => setRevokePrevious(currentTarget.checked)}
      />
    </FormDialog>
  );
}
