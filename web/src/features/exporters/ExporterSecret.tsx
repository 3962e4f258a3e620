import { Button, TextInput } from '@mantine/core';
import { docsHref } from '#lib/docs.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { DocsLink } from '#ui/DocsLink.tsx';
import s from './Exporters.module.css';

/** The secret that signs what goes to a webhook, shown this once. */
export const ExporterSecret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <Dialog
    title="The webhook is added"
    opened
    onClose={onClose}
    width={520}
    actions={
      <>
        <CopyButton value={secret} label="Copy secret" />
        <Button onClick={onClose}>Done</Button>
      </>
    }
  >
    <div className={s.form}>
      <p>
        Give this secret to whatever listens at the address: with it, it checks that a request comes from here. It is
        shown this once.
      </p>
      <TextInput
        aria-label="Signing secret"
        value={secret}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
        data-autofocus
      />
      <p className="dim">
        <DocsLink href={docsHref('outgoing-webhooks', 'verify-the-signature')}>How to verify a signature</DocsLink>
      </p>
    </div>
  </Dialog>
);
