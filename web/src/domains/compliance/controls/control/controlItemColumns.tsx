import { Menu } from '@mantine/core';
import type { ControlRow } from '@sightline/contract/compliance/control-runs.ts';
import { IconClockPause } from '@tabler/icons-react';
import { DueTime } from '#ui/DueTime.tsx';
import { evaluatedItemName } from '#ui/item-name.ts';
import { Link } from '#ui/Link.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { Severity } from '#ui/Severity.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { verdictBadges } from '#ui/verdicts.ts';
import type { Column } from '../../../../ui/column.ts';
import s from './Control.module.css';

/** Columns of an item: subject, verdict, reason, and ledger index. */
export const controlItemColumns: readonly Column<ControlRow>[] = [
  {
    key: 'subject',
    header: 'Item',
    place: 'main',
    cell: ({ subject, repository, item }) => (
      <span className={s.subject}>
        {repository && (
          <span className={s.repository}>
            <ProviderIcon provider={repository.provider} size={14} labelled />
            <span className="truncate">{repository.fullName}</span>
          </span>
        )}
        <Subject subject={subject} item={item} />
      </span>
    ),
  },
  {
    key: 'verdict',
    header: 'Verdict',
    width: 128,
    place: 'side',
    cell: ({ verdict }) => <StatusBadge tone={verdictBadges[verdict][0]}>{verdictBadges[verdict][1]}</StatusBadge>,
  },
  {
    key: 'why',
    header: 'Reason',
    width: 420,
    place: 'meta',
    cell: ({ explanations }) => (
      <ul className={s.reasons}>
        {explanations.map(({ code, text, about, remedy }) => (
          <li key={`${code} ${about}`}>
            {text}
            {about !== null && <code> {about}</code>}
            {remedy !== null && <span className="dim"> {remedy}</span>}
          </li>
        ))}
      </ul>
    ),
  },
  {
    key: 'leaf',
    header: 'Ledger entry',
    width: 116,
    cell: ({ leaf }) =>
      leaf === null ? (
        <span className="dim">Pending</span>
      ) : (
        <Link className="link num" href={`/ledger?entry=${leaf}`}>
          {leaf}
        </Link>
      ),
  },
];

/** A menu column to request a waiver for a failed item; `onRequest` gets its subject. */
export const requestWaiverColumn = (onRequest: (subject: string) => void): Column<ControlRow> => ({
  key: 'menu',
  header: 'Actions',
  width: 56,
  place: 'menu',
  cell: ({ subject, item, verdict }) =>
    verdict === 'fail' && (
      <RowMenu label={`Actions for ${item?.title ?? evaluatedItemName(subject)}`}>
        <Menu.Item leftSection={<IconClockPause size={15} aria-hidden />} onClick={() => onRequest(subject)}>
          Request waiver
        </Menu.Item>
      </RowMenu>
    ),
});

/** Shows the title of the evaluated item, with a link if it has a page. Its key, which evidence contains, is the tooltip. */
function Subject({ subject, item }: Pick<ControlRow, 'subject' | 'item'>) {
  const [kind = '', id = ''] = subject.split(':');
  const page = pages.get(kind);
  const name = item?.title ?? evaluatedItemName(subject);
  return (
    <span className={s.evaluated}>
      {page === undefined ? (
        <span title={subject}>{name}</span>
      ) : (
        <Link className="link" href={`${page}/${id}`} title={subject}>
          {name}
        </Link>
      )}
      {item && (item.severity !== null || item.dueAt !== null) && (
        <span className={s.state}>
          {item.severity && <Severity level={item.severity} />}
          {item.dueAt !== null && <DueTime at={item.dueAt} />}
        </span>
      )}
    </span>
  );
}

const pages = new Map([
  ['change', '/changes'],
  ['finding', '/vulnerabilities'],
]);
