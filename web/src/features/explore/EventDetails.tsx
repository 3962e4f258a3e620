import { Button } from '@mantine/core';
import { type Event, getEvent, type Parameter } from '@sightline/contract/events.ts';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ask } from '#lib/api.ts';
import { EventEntity, isEntity, type OnEntity } from '#ui/EventEntity.tsx';
import { providerName } from '#ui/providerName.ts';
import s from './EventDetails.module.css';
import { fullTime } from './zone.ts';

interface Props {
  id: string;
  event: Event;
  /** Hours from UTC. */
  offset: number;
  onEntity: OnEntity;
}

/** Everything recorded about an event, asked for when its row is opened. An event never changes. */
export function EventDetails({ id, event, offset, onEntity }: Props) {
  const details = useQuery({
    ...ask(getEvent, { params: { eventId: event.uuid } }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
  const parameters = details.data?.detail?.parameters ?? [];
  return (
    <div id={id} className={s.detail} aria-busy={details.isPending}>
      {details.isError && (
        <p className={s.detailFailure}>
          The details could not be loaded.{' '}
          <Button variant="default" size="compact-sm" onClick={() => details.refetch()}>
            Try again
          </Button>
        </p>
      )}
      <dl className={s.facts}>
        <Fact term="Happened">{fullTime(event.as_of, offset)}</Fact>
        <Fact term="Received">{fullTime(event.receivedAt, offset)}</Fact>
        {parameters.map(({ label, parameter }) => (
          <Fact key={label} term={label} whole={isLong(parameter)}>
            <Value parameter={parameter} offset={offset} onEntity={onEntity} />
          </Fact>
        ))}
        <Fact term="Source">{providerName(event.source)}</Fact>
        {details.isPending && <Fact term="Details">Loading…</Fact>}
      </dl>
    </div>
  );
}

const Fact = ({ term, whole = false, children }: { term: string; whole?: boolean; children: ReactNode }) => (
  <div className={whole ? s.whole : undefined}>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
);

function Value({ parameter, offset, onEntity }: { parameter: Parameter; offset: number; onEntity: OnEntity }) {
  const url = parameter.data?.url;
  if (!isEntity(parameter))
    return (
      <span className={s.text}>{isInstant(parameter) ? fullTime(parameter.ident, offset) : parameter.display}</span>
    );
  return (
    <span className={s.value}>
      <EventEntity parameter={parameter} onEntity={onEntity} />
      {typeof url === 'string' && /^https?:\/\//.test(url) && (
        <a
          className={s.outside}
          href={url}
          target="_blank"
          rel="noreferrer"
          aria-label={`Open ${parameter.display}, opens a new tab`}
        >
          <IconExternalLink size={14} aria-hidden />
        </a>
      )}
    </span>
  );
}

const isLong = ({ kind, display }: Parameter) => kind === 'text' && (display.length > 60 || display.includes('\n'));
const isInstant = ({ ident }: Parameter) => /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(ident);
