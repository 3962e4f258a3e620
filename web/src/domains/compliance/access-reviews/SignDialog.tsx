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
    Your name stands under {review.lines === 1 ? 'its line' : `all ${review.lines} lines`} in the ledger, for good. What
    is signed stays as it is; who becomes a member later makes another signature necessary.
  </ConfirmDialog>
);
