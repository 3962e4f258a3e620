import { Button } from '@mantine/core';
import { Link } from '#ui/Link.tsx';

/** Offers to retry after a failure, or to leave. */
export const RetryActions = ({ onRetry }: { onRetry: () => void }) => (
  <>
    <Button onClick={onRetry}>Try again</Button>
    <Link className="link" href="/">
      Go to Home
    </Link>
  </>
);
