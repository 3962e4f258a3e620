import { Button, TextInput } from '@mantine/core';
import { CopyButton } from './CopyButton.tsx';
import { Dialog } from './Dialog.tsx';
import { DocsLink } from './DocsLink.tsx';
import s from './SigningSecret.module.css';

interface SigningSecretProps {
  title: string;
  secret: string;
  /** The signed object: 'a request'. */
  signs: string;
  note?: string;
  /** The documentation of signature verification. */
  helpHref: string;
  onClose: () => void;
}

/** Shows a signing secret once. */
export const SigningSecret = ({ title, secret, signs, note, helpHref, onClose }: SigningSecretProps) => (
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
    <div className={s.body}>
      <p>
        Give this secret to the receiver. It verifies with it that {signs} comes from this server. It is shown once.
      </p>
      <TextInput
        aria-label="Signing secret"
        value={secret}
        readOnly
        classNames={{ input: s.secret ?? '' }}
        onFocus={({ currentTarget }) => currentTarget.select()}
        data-autofocus
      />
      <p className="dim">
        {note} <DocsLink href={helpHref}>Signature verification</DocsLink>
      </p>
    </div>
  </Dialog>
);
