import { docsHref } from '#lib/docs.ts';
import { SigningSecret } from '#ui/SigningSecret.tsx';

interface SecretDialogProps {
  title: string;
  secret: string;
  /** It replaces another secret, which also signs for a day. */
  replaces?: boolean;
  onClose: () => void;
}

/** Shows the signing secret of a webhook once. */
export const SecretDialog = ({ title, secret, replaces = false, onClose }: SecretDialogProps) => (
  <SigningSecret
    title={title}
    secret={secret}
    signs="a request"
    note={
      replaces
        ? 'For 24 hours both secrets sign, so that receivers reject no delivery.'
        : 'Requests are signed according to Standard Webhooks. Libraries exist for most languages.'
    }
    helpHref={docsHref('outgoing-webhooks', 'verify-the-signature')}
    onClose={onClose}
  />
);
