import { Button } from '@mantine/core';
import { type StarterView, starterViews } from '@sightline/contract/timeline/starter-views.ts';
import s from './StarterViews.module.css';

/** Views to start with, offered before the first query. */
export const StarterViews = ({ onOpen }: { onOpen: (view: StarterView) => void }) => (
  <section className={s.starters} aria-label="Starter views">
    <h2 className={s.title}>Starter views</h2>
    <ul className={s.list}>
      {starterViews.map((view) => (
        <li key={view.name}>
          <Button variant="default" size="compact-sm" title={view.query} onClick={() => onOpen(view)}>
            {view.name}
          </Button>
        </li>
      ))}
    </ul>
  </section>
);
