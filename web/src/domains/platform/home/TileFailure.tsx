import { Button } from '@mantine/core';
import s from './HomePanels.module.css';

/** Part of a panel could not be loaded; the rest is shown. */
export const TileFailure = ({ onRetry }: { onRetry: () => void }) => (
  <p className={s.failure} role="status">
    Some of this could not be loaded.
    <Button variant="subtle" size="compact-sm" onClick={onRetry}>
      Try again
    </Button>
  </p>
);
