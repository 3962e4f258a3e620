import type { Ledger } from '@sightline/contract/ledger/ledger.ts';
import type { ReactNode } from 'react';
import { Facts } from '#ui/Facts.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { integerFormat } from './anchorLabels.ts';
import { Exact } from './Exact.tsx';
import s from './Ledger.module.css';

/** Shows the size of the log, the signed checkpoint, and the key to verify it. */
export function LogFacts({ ledger }: { ledger: Ledger }) {
  const { size, root, checkpoint, pending, epoch, origin, keys, halted } = ledger;
  const key = keys.at(-1) ?? '';
  const items: (readonly [string, ReactNode])[] = [
    [
      'Entries',
      <span key="size" className={s.size}>
        {integerFormat.format(size)}
      </span>,
    ],
    ['State', <State key="state" halted={halted} />],
    ['Signed', <Signed key="signed" size={size} checkpoint={checkpoint} />],
    ['Pending', <PendingEntries key="waiting" pending={pending} />],
    ['Root', <Exact key="root" value={root} label="Copy root" />],
    ['Name', <Exact key="name" value={origin} label="Copy name" />],
    ['Signing key', <Exact key="key" value={key} label="Copy key" />],
    ['Epoch', epoch === 1 ? '1 (first)' : `${epoch}: an earlier log was closed`],
  ];
  return (
    <Panel title="The log">
      <Facts side items={items} />
      <p className={s.hint}>
        A key that comes with the evidence proves nothing. Give auditors the{' '}
        <Link className="link" href="/ledger/keys">
          signing keys
        </Link>{' '}
        on paper or by their public address.
      </p>
    </Panel>
  );
}

const State = ({ halted }: Pick<Ledger, 'halted'>) =>
  halted === null ? <StatusBadge tone="green">Healthy</StatusBadge> : <StatusBadge tone="red">Halted</StatusBadge>;

function Signed({ size, checkpoint }: Pick<Ledger, 'size' | 'checkpoint'>) {
  if (!checkpoint) return <span className="dim">Not signed: takes a few seconds</span>;
  return (
    <>
      {checkpoint.size === size ? 'All of them' : `${integerFormat.format(checkpoint.size)} of them`},{' '}
      <TimeAgo at={checkpoint.signedAt} />
    </>
  );
}

function PendingEntries({ pending: { count, oldest } }: Pick<Ledger, 'pending'>) {
  if (count === 0 || oldest === null) return 'No pending entries';
  return (
    <>
      {integerFormat.format(count)}
      {count >= 10_000 && ' or more'}, the oldest since <TimeAgo at={oldest} />
    </>
  );
}
