import { Button } from '@mantine/core';
import { type Event, getEvent } from '@sightline/contract/timeline/events.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { endpointQuery } from '#lib/api.ts';
import type { OnEntity } from '#ui/EventEntity.tsx';
import { providerName } from '#ui/providerName.ts';
import { SeverityWords } from '#ui/Severity.tsx';
import s from './EventDetails.module.css';
import { EventValue } from './EventValue.tsx';
import { isLong, type Labelled, splitSeverityCounts } from './eventFacts.ts';
import { isLate } from './isLate.ts';
import { fullTime } from './zone.ts';

interface EventDetailsProps {
  id: string;
  event: Event;
  /** Minutes from UTC. */
  offset: number;
  onEntity: OnEntity;
}

/** Shows all fields of an event, fetched when its row is expanded. An event never changes. */
export function EventDetails({ id, event, offset, onEntity }: EventDetailsProps) {
  const details = useQuery({
    ...endpointQuery(getEvent, { params: { eventId: event.uuid } }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
  const { counts, others } = splitSeverityCounts(details.data?.detail?.parameters ?? []);
  const proof = details.data?.proof;
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
        <Fact term="Occurred">{fullTime(event.as_of, offset)}</Fact>
        <Fact term="Received">
          {fullTime(event.receivedAt, offset)}
          {isLate(event) && ', later than expected from its client'}
        </Fact>
        {counts && (
          <Fact term="Findings" whole>
            <SeverityWords counts={counts} />
          </Fact>
        )}
        {facts(others, offset, onEntity)}
        <Fact term="Source">{providerName(event.source)}</Fact>
        {proof !== undefined && (
          <Fact term="Ledger entry">
            <span className={s.id}>{proof}</span>
          </Fact>
        )}
        {details.isPending && <Fact term="Details">Loading…</Fact>}
      </dl>
    </div>
  );
}

/** Formats the labeled values. One label may have several values, such as the files of a commit. */
const facts = (labelled: readonly Labelled[], offset: number, onEntity: OnEntity) =>
  labelled.map(({ label, parameter }, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: recorded values never change their order
    <Fact key={place} term={label} whole={isLong(parameter)}>
      <EventValue parameter={parameter} offset={offset} onEntity={onEntity} />
    </Fact>
  ));

const Fact = ({ term, whole = false, children }: { term: string; whole?: boolean; children: ReactNode }) => (
  <div className={whole ? s.whole : undefined}>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
);
