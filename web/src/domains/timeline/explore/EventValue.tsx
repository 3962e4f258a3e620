import { ActionIcon, Tooltip } from '@mantine/core';
import type { Parameter } from '@sightline/contract/timeline/events.ts';
import { IconExternalLink, IconFilterX } from '@tabler/icons-react';
import { EventEntity, isEntity, type OnEntity } from '#ui/EventEntity.tsx';
import s from './EventDetails.module.css';
import { isInstant } from './eventFacts.ts';
import { fullTime } from './zone.ts';

interface EventValueProps {
  parameter: Parameter;
  offset: number;
  onEntity: OnEntity;
}

/** A value of an event: an entity with actions to filter, exclude and open it, or plain text or a number. */
export function EventValue({ parameter, offset, onEntity }: EventValueProps) {
  const { display, ident, data } = parameter;
  if (!isEntity(parameter))
    return <span className={s.text}>{isInstant(parameter) ? fullTime(ident, offset) : display}</span>;
  return (
    <span className={s.value}>
      <EventEntity parameter={parameter} onEntity={onEntity} />
      {ident !== '' && (
        <Tooltip label={`Exclude ${display}`}>
          <ActionIcon
            size={24}
            aria-label={`Exclude ${display}`}
            onClick={() => onEntity(parameter, { exclude: true })}
          >
            <IconFilterX size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {typeof data?.url === 'string' && /^https?:\/\//.test(data.url) && (
        <a
          className={s.outside}
          href={data.url}
          target="_blank"
          rel="noreferrer"
          aria-label={`Open ${display}, opens a new tab`}
        >
          <IconExternalLink size={14} aria-hidden />
        </a>
      )}
    </span>
  );
}
