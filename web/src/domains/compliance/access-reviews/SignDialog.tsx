import type { AccessReview } from '@sightline/contract/compliance/access-reviews.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { quarterName } from './names.ts';

interface SignDialogProps {
  review: AccessReview;
  opened: boolean;
  onClose: () => void;
  sign: { isPending: boolean; mutate: (input: undefined) => void };
}

export const SignDialog = ({ review, opened, onClose, sign }: SignDialogProps) => (
  <ConfirmDialog
    opened={opened}
    onClose={onClose}
    title={`Sign the access review of ${quarterName(review.quarter)}?`}
    confirm="Sign"
    pending={sign.isPending}
    onConfirm={() => sign.mutate(undefined)}
  >
    Your signature covers {review.lines === 1 ? 'its only item' : `all ${review.lines} items`}, members and access on
    code hosts, and is recorded in the ledger. It cannot be changed. What is added later requires another signature.
  </ConfirmDialog>
);
