import { type Event, queryEvents, type Summary } from '@sightline/contract/timeline/events.ts';
import { withValue } from '@sightline/contract/timeline/query-language/edit.ts';
import { IconTimeline } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { withPeople } from '#lib/event-people.ts';
import { exploreHref } from '#lib/explore-href.ts';
import { Empty } from '#ui/Empty.tsx';
import { eventAppearances } from '#ui/eventAppearances.ts';
import { Failure } from '#ui/Failure.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Sentence } from '#ui/Sentence.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Profile.module.css';

const shown = 15;

/** Lists the newest events of a person and links to Explore for all of them. */
export function OwnEvents({ login }: { login: string }) {
  const events = useQuery({
    ...endpointQuery(queryEvents, { body: { query: withValue('', 'actor', login), pagination: { events: shown } } }),
    meta: { quiet: true },
  });
  const { data } = events;
  const rows = data?.events.map((event) => withPeople(event, data.people));
  return (
    <Panel
      flush
      title="Recent events"
      aside={
        rows !== undefined &&
        rows.length > 0 && (
          <Link className="link" href={exploreHref('actor', login)}>
            All in Explore
          </Link>
        )
      }
    >
      {events.isError && !rows && (
        <Failure title="Your events could not be loaded" error={events.error} onRetry={() => void events.refetch()} />
      )}
      {rows?.length === 0 && (
        <Empty kind="nothing-yet" title="No events" icon={<IconTimeline size={19} stroke={1.6} />}>
          Your commits, pull requests and reviews in the enabled repositories appear here.
        </Empty>
      )}
      {rows && rows.length > 0 && (
        <ul className={s.events}>
          {rows.map((event) => (
            <Row key={event.uuid} event={event} />
          ))}
        </ul>
      )}
      {events.isPending && <Waiting />}
    </Panel>
  );
}

function Row({ event }: { event: Event }) {
  const { name, Icon, ink } = eventAppearances[event.type];
  return (
    <li>
      <Icon size={15} stroke={1.75} style={{ color: ink }} role="img" aria-label={name} />
      <Sentence className={s.sentence} summary={withoutSubject(event.summary)} />
      <Link className={s.when} href={`/explore?event=${event.uuid}`}>
        <TimeAgo at={event.as_of} />
        <span className="vh">, open in Explore</span>
      </Link>
    </li>
  );
}

// All events belong to one person, so rows do not repeat the name.
const withoutSubject = ({ phrase, parameters }: Summary): Summary => ({
  phrase: parameters[0]?.kind === 'user' ? phrase.replace(/^\{0\} /, '') : phrase,
  parameters,
});

const Waiting = () => (
  <ul className={s.events} aria-busy="true" aria-label="Loading">
    {Array.from({ length: 6 }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows have no other identity
      <li key={at}>
        <span className={s.lineBone} style={{ width: `${40 + ((at * 17) % 40)}%` }} />
      </li>
    ))}
  </ul>
);
