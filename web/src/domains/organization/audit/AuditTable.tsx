// biome-ignore-all lint/a11y/noRedundantRoles: browsers drop the roles of a table drawn as cards unless they are written
import { UnstyledButton } from '@mantine/core';
import type { AuditEntry } from '@sightline/contract/organization/audit.ts';
import { IconChevronRight } from '@tabler/icons-react';
import { Fragment, type MouseEvent, useId } from 'react';
import { Face } from '#ui/Person.tsx';
import { AuditDetails } from './AuditDetails.tsx';
import { AuditSentence } from './AuditSentence.tsx';
import s from './AuditTable.module.css';
import type { AuditPageQuery } from './auditQuery.ts';
import { localAndUtcTimeText, timeText } from './dates.ts';

interface AuditTableProps {
  /** Undefined while loading. */
  entries: readonly AuditEntry[] | undefined;
  stale: boolean;
  /** The ID of the expanded entry. */
  opened: string | undefined;
  onOpen: (id: string | undefined) => void;
  narrow: (patch: Partial<AuditPageQuery>) => void;
}

/** Lists entries, one line each, of which one can be expanded. Below 640 px, each entry is a card. */
export const AuditTable = ({ entries, stale, opened, onOpen, narrow }: AuditTableProps) => (
  <table
    role="table"
    className={s.table}
    aria-label="Audit log"
    aria-busy={stale || !entries}
    data-stale={stale || undefined}
  >
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader" scope="col" className={s.time}>
          Time
        </th>
        <th role="columnheader" scope="col" className={s.who}>
          Actor
        </th>
        <th role="columnheader" scope="col">
          Action
        </th>
        <th role="columnheader" scope="col" className={s.from}>
          IP address
        </th>
        <th role="columnheader" scope="col" className={s.expand}>
          <span className="vh">Details</span>
        </th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      {entries?.map((entry) => (
        <AuditRow
          key={entry.id}
          entry={entry}
          opened={entry.id === opened}
          onToggle={() => onOpen(entry.id === opened ? undefined : entry.id)}
          narrow={narrow}
        />
      )) ?? <Skeleton />}
    </tbody>
  </table>
);

interface RowProps {
  entry: AuditEntry;
  opened: boolean;
  onToggle: () => void;
  narrow: (patch: Partial<AuditPageQuery>) => void;
}

function AuditRow({ entry, opened, onToggle, narrow }: RowProps) {
  const { at, actor, address, browser } = entry;
  const detailsId = useId();
  const toggle = (event: MouseEvent<HTMLElement>) => {
    if (event.target instanceof Element && event.target.closest('a, button')) return;
    if (window.getSelection()?.toString() === '') onToggle();
  };
  return (
    <Fragment>
      <tr role="row" className={s.row} data-open={opened || undefined} onClick={toggle}>
        <td role="cell" className={s.time}>
          <time className="num" dateTime={at} title={localAndUtcTimeText(at)}>
            {timeText(at)}
          </time>
        </td>
        <td role="cell" className={s.who}>
          <span className={s.person}>
            <Face name={actor.name} id={actor.id ?? undefined} picture={actor.picture ?? undefined} />
            <b className="truncate" title={actor.email ?? undefined}>
              {actor.name}
            </b>
          </span>
        </td>
        <td role="cell" className={s.what}>
          <AuditSentence entry={entry} />
        </td>
        <td role="cell" className={s.from}>
          <span className="truncate">{[address, browser].filter(Boolean).join(' · ')}</span>
        </td>
        <td role="cell" className={s.expand}>
          <UnstyledButton
            className={s.toggle ?? ''}
            aria-expanded={opened}
            aria-controls={opened ? detailsId : undefined}
            aria-label={`Details of ${actor.name} ${wordsOf(entry)}`}
            onClick={onToggle}
          >
            <IconChevronRight size={16} aria-hidden />
          </UnstyledButton>
        </td>
      </tr>
      {opened && (
        <tr role="row" id={detailsId} className={s.detailRow}>
          <td role="cell" colSpan={5}>
            <AuditDetails id={entry.id} narrow={narrow} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

const wordsOf = ({ sentence }: AuditEntry) => sentence.map(({ text }) => text).join(' ');

const Skeleton = () =>
  Array.from({ length: 10 }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows have no other identity
    <tr key={row} role="row" className={s.row}>
      {['time', 'who', 'what', 'from', 'expand'].map((cell) => (
        <td key={cell} role="cell" className={s[cell]}>
          {cell !== 'expand' && <span className={s.placeholder} />}
        </td>
      ))}
    </tr>
  ));
