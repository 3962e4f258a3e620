import { Button } from '@mantine/core';
import s from './Home.module.css';

/** Some counts could not be loaded; the others are shown. */
export const TileFailure = ({ onRetry }: { onRetry: () => void }) => (
  <p className={s.failure} role="status">
    Some counts could not be loaded.
    <Button variant="subtle" size="compact-sm" onClick={onRetry}>
      Try again
    </Button>
  </p>
);
