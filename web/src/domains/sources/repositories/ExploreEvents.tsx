import { IconTimeline } from '@tabler/icons-react';
import { Link } from '#ui/Link.tsx';
import s from './ExploreEvents.module.css';

interface ExploreEventsProps {
  /** The Explore address with the filter. */
  href: string;
  /** The subject of the filter: '#42', a name. */
  of: string;
}

/** A link at the end of a row to the events of its subject. */
export const ExploreEvents = ({ href, of }: ExploreEventsProps) => (
  <Link className={s.events} href={href} aria-label={`Explore events of ${of}`}>
    <IconTimeline size={14} aria-hidden />
    <span className={s.words}>Explore events</span>
  </Link>
);
