import { IconTimeline } from '@tabler/icons-react';
import { Link } from '#ui/Link.tsx';
import s from './ExploreEvents.module.css';

interface ExploreEventsProps {
  /** Explore, opened on one thing. */
  href: string;
  /** That thing: '#42', a name. */
  of: string;
}

/** At the end of a row: what happened to it. */
export const ExploreEvents = ({ href, of }: ExploreEventsProps) => (
  <Link className={s.events} href={href} aria-label={`Explore events of ${of}`}>
    <IconTimeline size={14} aria-hidden />
    <span className={s.words}>Explore events</span>
  </Link>
);
