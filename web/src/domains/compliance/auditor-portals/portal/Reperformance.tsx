import { Button } from '@mantine/core';
import { reperformControl } from '@sightline/contract/compliance/auditor-portals.ts';
import type { CallInput, CallOutput } from '@sightline/contract/core/endpoint.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { evaluatedItemName } from '#ui/item-name.ts';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { verdictBadges } from '#ui/verdicts.ts';
import type { Column } from '../../../../ui/column.ts';
import { utcTimeText } from '../portalLabels.ts';
import s from './Portal.module.css';

type Reperformed = CallOutput<typeof reperformControl>;
type ItemDifference = Reperformed['differences'][number];

/** Evaluates a control again on the server, and lists the items that differ from the bundle. */
export function Reperformance({ params }: { params: NonNullable<CallInput<typeof reperformControl>['params']> }) {
  const evaluate = useMutation({
    mutationFn: () => call(reperformControl, { params }),
    meta: { quiet: true },
  });
  return (
    <Panel
      title="Re-performance"
      aside={
        <Button variant="default" size="compact-sm" loading={evaluate.isPending} onClick={() => evaluate.mutate()}>
          Re-perform
        </Button>
      }
    >
      <p className="dim">
        The server of the organization evaluates the control again, from the facts that it recorded up to the ledger
        size of the snapshot, and compares each item with the bundle, also those that parameters excluded. To evaluate
        on your own machine, download the bundle and{' '}
        <a className="link" href="/verify.html" target="_blank" rel="noreferrer">
          verify it
        </a>
        .
      </p>
      <div role="status">{evaluate.data && <Outcome result={evaluate.data} />}</div>
      {evaluate.error && (
        <Banner tone="error">{errorMessageOf(evaluate.error, 'The control was not evaluated. Try again.')}</Banner>
      )}
    </Panel>
  );
}

function Outcome({ result }: { result: Reperformed }) {
  const { computedBy, computedAt, catalog, ledger, rowsSha256, excludedSha256, counts, excluded, total, differences } =
    result;
  return (
    <>
      <p className={s.completeness}>
        {total === 0
          ? sameText(counts.bundle.population, excluded.bundle)
          : `${total.toLocaleString('en')} ${total === 1 ? 'item differs' : 'items differ'}.`}{' '}
        Computed by the server {computedBy} on {utcTimeText(computedAt)}, at ledger size{' '}
        {ledger.size.toLocaleString('en')}, with version {catalog} of the catalog.
      </p>
      <p className="dim">
        SHA-256 of the items in the bundle <code className={s.hash}>{rowsSha256.bundle}</code>, computed again{' '}
        <code className={s.hash}>{rowsSha256.again}</code>
      </p>
      {excluded.bundle + excluded.again > 0 && (
        <p className="dim">
          SHA-256 of the excluded items in the bundle <code className={s.hash}>{excludedSha256.bundle}</code>, computed
          again <code className={s.hash}>{excludedSha256.again}</code>
        </p>
      )}
      {total > 0 && (
        <DataTable
          label="Differences"
          columns={columns}
          rows={differences}
          rowKey={({ subject }) => subject}
          empty={null}
        />
      )}
      {total > differences.length && <p className="dim">The first {differences.length} are listed.</p>}
    </>
  );
}

const sameText = (population: number, excluded: number): string => {
  if (population + excluded === 0) return 'No difference: neither the bundle nor the server has an item.';
  const items = `${population.toLocaleString('en')} ${population === 1 ? 'item is' : 'items are'} the same`;
  return excluded === 0
    ? `No difference: ${items}.`
    : `No difference: ${items}, and ${excluded.toLocaleString('en')} that parameters excluded.`;
};

const outcomeCell = (outcome: ItemDifference['bundle']) => {
  if (outcome === null) return <span className="dim">Not included</span>;
  if (outcome === 'excluded') return <span className="dim">Excluded</span>;
  return <StatusBadge tone={verdictBadges[outcome][0]}>{verdictBadges[outcome][1]}</StatusBadge>;
};

const columns: Column<ItemDifference>[] = [
  { key: 'subject', header: 'Item', place: 'main', cell: ({ subject }) => evaluatedItemName(subject) },
  { key: 'bundle', header: 'In the bundle', width: 150, place: 'meta', cell: ({ bundle }) => outcomeCell(bundle) },
  { key: 'again', header: 'Computed again', width: 150, place: 'metaEnd', cell: ({ again }) => outcomeCell(again) },
  { key: 'fields', header: 'Fields', place: 'side', cell: ({ fields }) => fields.join(', ') },
];
