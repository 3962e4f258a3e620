import { Menu } from '@mantine/core';
import type { ControlRow } from '@sightline/contract/compliance/control-rows.ts';
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
import { RemediationFacts } from '../remediations/RemediationFacts.tsx';
import { RemediationMenuItems, type RemediationMenuItemsProps } from '../remediations/RemediationMenuItems.tsx';
import type { RemediatedItem } from '../remediations/remediation-action.ts';
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
    width: 112,
    place: 'side',
    cell: (row) => <RowVerdict row={row} />,
  },
  {
    key: 'why',
    header: 'Reason',
    width: 300,
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

/** What is done about a failure. */
export const remediationColumn: Column<ControlRow> = {
  key: 'remediation',
  header: 'Remediation',
  width: 210,
  place: 'below',
  cell: ({ remediation, verdict }) =>
    remediation ? (
      <RemediationFacts remediation={remediation} />
    ) : (
      verdict === 'fail' && <span className="dim">Not assigned</span>
    ),
};

/** The verdict. An item that failed in an earlier evaluation of the period stays failed beside its current verdict. */
function RowVerdict({ row: { verdict, remediation } }: { row: ControlRow }) {
  const [tone, words] = verdictBadges[verdict];
  if (remediation === null || verdict === 'fail') return <StatusBadge tone={tone}>{words}</StatusBadge>;
  return (
    <span className={s.evaluated}>
      <StatusBadge tone={verdictBadges.fail[0]}>{verdictBadges.fail[1]}</StatusBadge>
      <span className="dim">Now: {words}</span>
    </span>
  );
}

interface FailureMenuOptions {
  mayRequestWaiver: boolean;
  /** Gets the subject of the item. */
  onRequestWaiver: (subject: string) => void;
  remediation: Omit<RemediationMenuItemsProps, 'item'>;
}

/** A menu column for items that fail or failed: a waiver, and their remediation. */
export const failureMenuColumn = ({
  mayRequestWaiver,
  onRequestWaiver,
  remediation: options,
}: FailureMenuOptions): Column<ControlRow> => ({
  key: 'menu',
  header: 'Actions',
  width: 56,
  place: 'menu',
  cell: (row) => {
    const mayWaive = mayRequestWaiver && row.verdict === 'fail';
    const hasMenu = mayWaive || (hasFailed(row) && options.mayChange) || row.remediation?.allowed.retest === true;
    return (
      hasMenu && (
        <RowMenu label={`Actions for ${rowName(row)}`}>
          <RemediationMenuItems {...options} item={remediatedItemOf(row)} />
          {mayWaive && (
            <Menu.Item
              leftSection={<IconClockPause size={15} aria-hidden />}
              onClick={() => onRequestWaiver(row.subject)}
            >
              Request waiver
            </Menu.Item>
          )}
        </RowMenu>
      )
    );
  },
});

export const rowName = ({ subject, item }: Pick<ControlRow, 'subject' | 'item'>): string =>
  item?.title ?? evaluatedItemName(subject);

/** Whether an item fails, or failed in an earlier evaluation of the period. */
export const hasFailed = ({ verdict, remediation }: Pick<ControlRow, 'verdict' | 'remediation'>): boolean =>
  verdict === 'fail' || remediation !== null;

export const remediatedItemOf = (row: ControlRow): RemediatedItem => ({
  subject: row.subject,
  name: rowName(row),
  remediation: row.remediation,
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
