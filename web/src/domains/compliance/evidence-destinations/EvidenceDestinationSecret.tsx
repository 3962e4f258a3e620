import { docsHref } from '#lib/docs.ts';
import { SigningSecret } from '#ui/SigningSecret.tsx';

/** Shows the signing secret of a webhook destination once. */
export const EvidenceDestinationSecret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <SigningSecret
    title="The webhook is added"
    secret={secret}
    signs="a request"
    helpHref={docsHref('outgoing-webhooks', 'verify-the-signature')}
    onClose={onClose}
  />
);
