import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import s from './Account.module.css';

/** Shows the recovery codes once. The server stores only hashes of them. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <Dialog
      title="Save your recovery codes"
      opened
      onClose={onClose}
      actions={<Button onClick={onClose}>I saved them</Button>}
    >
      <div className={s.stack}>
        <p>
          Each code signs you in once if your second factor is not available. They are shown only now. Print them or
          save them in a password manager.
        </p>
        <ul className={s.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className={s.actions}>
          <CopyButton value={text} label="Copy" />
          <Button
            component="a"
            variant="default"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download="sightline-recovery-codes.txt"
            leftSection={<IconDownload size={15} aria-hidden />}
          >
            Download
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
