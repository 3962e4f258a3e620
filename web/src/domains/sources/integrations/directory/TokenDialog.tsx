import { Button, TextInput } from '@mantine/core';
import type { Directory } from '@sightline/contract/organization/directory.ts';
import { docsHref } from '#lib/docs.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { DocsLink } from '#ui/DocsLink.tsx';
import s from './Directory.module.css';

interface TokenDialogProps {
  title: string;
  answer: { token: string; directory: Directory };
  onClose: () => void;
}

/** Shows address and token for the directory. The token is shown once. */
export const TokenDialog = ({ title, answer: { token, directory }, onClose }: TokenDialogProps) => (
  <Dialog
    title={title}
    opened
    onClose={onClose}
    width={560}
    actions={
      <>
        <CopyButton value={directory.url} label="Copy address" />
        <CopyButton value={token} label="Copy token" />
        <Button onClick={onClose}>Done</Button>
      </>
    }
  >
    <div className={s.token}>
      <p>Enter both in the directory now. The token is shown once and stored only as a hash.</p>
      <TextInput label="Address" value={directory.url} readOnly classNames={{ input: s.mono ?? '' }} />
      <TextInput
        label="Token"
        value={token}
        readOnly
        classNames={{ input: s.mono ?? '' }}
        onFocus={({ currentTarget }) => currentTarget.select()}
        data-autofocus
      />
      <p className="dim">
        {directory.previousTokenUntil !== null && 'The previous token stays valid for 24 hours. '}
        <DocsLink href={docsHref('directory')}>Set up the directory</DocsLink>
      </p>
    </div>
  </Dialog>
);
