import { Button } from '@mantine/core';
import { IconFocus2 } from '@tabler/icons-react';
import s from './Explore.module.css';

/** Shown above a timeline that starts around one event, with a link to the latest events. */
export const EventNotice = ({ onLatest }: { onLatest: () => void }) => (
  <section className={s.context} aria-label="Linked event">
    <IconFocus2 size={15} aria-hidden />
    <div className={s.contextText}>
      <span className={s.contextLabel}>One event</span> and surrounding events
    </div>
    <Button variant="subtle" size="compact-sm" className={s.removeContext ?? ''} onClick={onLatest}>
      Show the latest
    </Button>
  </section>
);
