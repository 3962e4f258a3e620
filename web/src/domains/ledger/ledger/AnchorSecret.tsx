import { docsHref } from '#lib/docs.ts';
import { SigningSecret } from '#ui/SigningSecret.tsx';

/** The secret that signs checkpoints to a webhook, shown this once. */
export const AnchorSecret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <SigningSecret
    title="The webhook is added"
    secret={secret}
    signs="a checkpoint"
    helpHref={docsHref('outgoing-webhooks', 'verify-the-signature')}
    onClose={onClose}
  />
);
