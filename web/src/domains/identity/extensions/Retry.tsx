import { Button } from '@mantine/core';
import { Link } from '#ui/Link.tsx';

/** What to do about a failure: once more, or somewhere else. */
export const Retry = ({ onRetry }: { onRetry: () => void }) => (
  <>
    <Button onClick={onRetry}>Try again</Button>
    <Link className="link" href="/">
      Go to Home
    </Link>
  </>
);
