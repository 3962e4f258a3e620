import { Button, TextInput } from '@mantine/core';
import { docsHref } from '#lib/docs.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { DocsLink } from '#ui/DocsLink.tsx';
import s from './Webhooks.module.css';

interface Props {
  title: string;
  secret: string;
  /** It takes the place of another one, which goes on signing for a day. */
  replaces?: boolean;
  onClose: () => void;
}

/** The signing secret, shown this once. */
export const SecretDialog = ({ title, secret, replaces = false, onClose }: Props) => (
  <Dialog
    title={title}
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
        classNames={{ input: s.secret ?? '' }}
        onFocus={({ currentTarget }) => currentTarget.select()}
        data-autofocus
      />
      <p className={s.dim}>
        {replaces
          ? 'For 24 hours both secrets sign, so that nothing is refused meanwhile.'
          : 'Requests are signed after Standard Webhooks, for which there are libraries in most languages.'}{' '}
        <DocsLink href={docsHref('outgoing-webhooks', 'verify-the-signature')}>How to verify one</DocsLink>
      </p>
    </div>
  </Dialog>
);
