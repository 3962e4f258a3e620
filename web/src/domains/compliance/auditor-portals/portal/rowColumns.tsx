import type { PortalRow } from '@sightline/contract/compliance/auditor-portals.ts';
import { evaluatedItemName } from '#ui/item-name.ts';
import { Link } from '#ui/Link.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { verdictBadges } from '#ui/verdicts.ts';
import type { Column } from '../../../../ui/column.ts';
import { utcTimeText } from '../portalLabels.ts';
import s from './Portal.module.css';

/** Columns for the items of a bundle. An item about a change links to the change record. */
export const portalItemColumnsOf = (hrefOf: (entry: number) => string): readonly Column<PortalRow>[] => [
  {
    key: 'subject',
    header: 'Item',
    place: 'main',
    cell: ({ subject, title, change, happenedAt }) => (
      <span className={s.subject}>
        {change === null ? (
          <b className="truncate">{title ?? evaluatedItemName(subject)}</b>
        ) : (
          <Link className="link truncate" href={hrefOf(change)}>
            {title ?? evaluatedItemName(subject)}
          </Link>
        )}
        <code>{subject}</code>
        <span className={s.when}>
          <When at={happenedAt} />
        </span>
      </span>
    ),
  },
  {
    key: 'verdict',
    header: 'Verdict',
    width: 128,
    place: 'metaEnd',
    cell: ({ verdict, remediation }) => {
      // A row that failed in the period stays failed, also if it passes in the bundle.
      const [tone, words] = verdictBadges[remediation === null ? verdict : 'fail'];
      return <StatusBadge tone={tone}>{words}</StatusBadge>;
    },
  },
  {
    key: 'why',
    header: 'Reason',
    width: 320,
    place: 'meta',
    cell: ({ explanations, remediation, verdict }) => (
      <ul className={s.reasons}>
        {remediation !== null && (
          <li>
            {remediation.replace(/^f/, 'F')}.{verdict !== 'fail' && ` Now: ${verdictBadges[verdict][1]}.`}
          </li>
        )}
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
    key: 'at',
    header: 'When',
    width: 200,
    cell: ({ happenedAt }) => <When at={happenedAt} />,
  },
  {
    key: 'leaf',
    header: 'Ledger entry',
    width: 110,
    cell: ({ leaf }) => (leaf === null ? <span className="dim">Several</span> : <span className="num">{leaf}</span>),
  },
];

const When = ({ at }: { at: string }) => <time dateTime={at}>{utcTimeText(at)}</time>;
