import { Button, TextInput } from '@mantine/core';
import { getPortalControl, getPortalSample, listPortalRows } from '@sightline/contract/compliance/auditor-portals.ts';
import type { Verdict } from '@sightline/contract/compliance/controls.ts';
import type { CallOutput } from '@sightline/contract/core/endpoint.ts';
import { approvalText } from '@sightline/evidence/bundle/weakening.ts';
import { type SourceId, sources } from '@sightline/evidence/controls/sources.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { useSelection } from '#lib/selection.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { completenessText } from '#ui/completenessText.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Exclusions } from '#ui/Exclusions.tsx';
import { Facts } from '#ui/Facts.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Filters } from '#ui/Filters.tsx';
import { evaluatedItemName } from '#ui/item-name.ts';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { SelectionBar } from '#ui/SelectionBar.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { selectionColumn } from '#ui/selectionColumn.tsx';
import { settingText } from '#ui/settingText.ts';
import { VerdictBar } from '#ui/VerdictBar.tsx';
import { statusBadges, verdictBadges, verdicts } from '#ui/verdicts.ts';
import { Weakenings } from '#ui/Weakenings.tsx';
import { utcTimeText } from '../portalLabels.ts';
import { KeepSample } from './KeepSample.tsx';
import s from './Portal.module.css';
import { PortalPagePlaceholder } from './PortalPagePlaceholder.tsx';
import { Reperformance } from './Reperformance.tsx';
import { portalItemColumnsOf } from './rowColumns.tsx';
import { portalPageHref, usePortal, usePortalId } from './usePortal.ts';

type Control = CallOutput<typeof getPortalControl>;
type PortalSample = CallOutput<typeof getPortalSample>;
interface PortalControlKey {
  portalId: string;
  snapshotId: string;
  controlId: Control['id'];
}

/** Shows the result of a control in a snapshot: its evaluation criteria, a sample, and every item. */
export function PortalControlPage() {
  const portalId = usePortalId();
  const portal = usePortal();
  const { snapshotId, controlId } = useParams({ strict: false }) as Omit<PortalControlKey, 'portalId'>;
  const controlKey = { portalId, snapshotId, controlId };
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getPortalControl, { params: controlKey }),
    staleTime: 60_000,
    meta: { quiet: true },
  });
  const snapshot = portal?.snapshots.find(({ id }) => id === snapshotId);
  const back = { label: snapshot?.name ?? 'Snapshot', href: portalPageHref(portalId, 'snapshots', snapshotId) };
  if (!data)
    return (
      <PortalPagePlaceholder title={`Control ${controlId}`} back={back} error={error} onRetry={() => void refetch()} />
    );
  const [tone, words] = statusBadges[data.status];
  return (
    <>
      <PageHeader
        title={`${data.id} ${data.title}`}
        back={back}
        after={<StatusBadge tone={tone}>{words}</StatusBadge>}
        note={data.rule}
      />
      <div className={s.page}>
        <Panel title="Result">
          <VerdictBar counts={data.counts} />
          <Completeness control={data} />
          <Exclusions className={s.completeness} exclusions={data.exclusions} parameters={data.parameters} />
          <Weakenings
            className={s.completeness}
            weakenings={data.weakenings}
            parameters={data.parameters}
            peopleText={(one) => `${approvalText(one)}, ledger entry ${one.entry}.`}
          />
        </Panel>
        <Sample controlKey={controlKey} population={data.counts.population} />
        <Rows controlKey={controlKey} control={data} />
        <Reperformance key={`${snapshotId} ${controlId}`} params={controlKey} />
        <Panel title="Evaluation criteria">
          <Facts side items={factsOf(data)} />
        </Panel>
      </div>
    </>
  );
}

const Completeness = ({ control: { completeness } }: { control: Control }) => (
  <ul className={s.completeness} aria-label="Completeness of the population">
    {completeness.map((one) => (
      <li key={one.source}>
        {sources[one.source as SourceId]?.title ?? one.source}: {completenessText(one)}
      </li>
    ))}
  </ul>
);

/** Draws a sample by the checkpoint root hash, which cannot be chosen, or by a seed of the auditor. */
function Sample({ controlKey, population }: { controlKey: PortalControlKey; population: number }) {
  const [isKeeping, setKeeping] = useState(false);
  const [typed, setTyped] = useState('');
  const [seed, setSeed] = useState<string>();
  const columns = useColumns(controlKey);
  const result = useQuery({
    ...endpointQuery(getPortalSample, { params: controlKey, query: { seed } }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const sample = result.data;
  const isFullPopulation = sample !== undefined && sample.rows.length > 0 && sample.rows.length === sample.population;
  return (
    <Panel
      title="Sample"
      flush
      aside={
        population > 0 && (
          <Button variant="default" size="compact-sm" onClick={() => setKeeping(true)}>
            Keep sample
          </Button>
        )
      }
    >
      {isKeeping && (
        <KeepSample controlKey={controlKey} population={population} seed={seed} onClose={() => setKeeping(false)} />
      )}
      <form
        className={s.draw}
        onSubmit={(event) => {
          event.preventDefault();
          const own = typed.trim() === '' ? undefined : typed.trim();
          if (own === seed) void result.refetch();
          setSeed(own);
        }}
      >
        <p className="dim" role="status">
          {sampleText(sample, isFullPopulation)}
        </p>
        {sample && (
          <p className={s.seed}>
            <span className="dim">Seed</span> <code>{sample.seed}</code>
            <CopyButton compact value={sample.seed} label="Copy seed" />
          </p>
        )}
        <div className={s.own}>
          <TextInput
            aria-label="Custom seed"
            placeholder="Custom seed"
            maxLength={200}
            w={240}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={result.isFetching}>
            Resample
          </Button>
        </div>
      </form>
      {result.error && !sample ? (
        <Failure title="The sample could not be loaded" error={result.error} onRetry={() => void result.refetch()} />
      ) : isFullPopulation ? null : (
        <DataTable
          tall
          label="Sample"
          columns={columns}
          rows={sample?.rows}
          rowKey={({ subject }) => subject}
          stale={result.isPlaceholderData}
          empty={<Empty kind="nothing-yet" title="No items to sample" />}
        />
      )}
    </Panel>
  );
}

function sampleText(sample: PortalSample | undefined, isFullPopulation: boolean): string {
  if (!sample) return 'Selected by the root hash of the checkpoint, which was fixed after all items were recorded.';
  const { rows, population, isLedgerSeed } = sample;
  const seedText = isLedgerSeed
    ? 'the root hash of the checkpoint, which was fixed after all items were recorded'
    : 'a custom seed, which is recorded in the ledger';
  return isFullPopulation
    ? `All ${population} items, selected by ${seedText}. They are listed below.`
    : `${rows.length} of ${population} items, selected by ${seedText}.`;
}

/** Lists all items of the population from the bundle. */
function Rows({ controlKey, control }: { controlKey: PortalControlKey; control: Control }) {
  const columns = useColumns(controlKey);
  const list = usePagedList(listPortalRows, { input: (query) => ({ params: controlKey, query }) });
  const { query, setQuery } = list;
  const rows = (list.rows ?? []).map((row) => ({ ...row, id: String(row.position) }));
  const selection = useSelection(`${controlKey.snapshotId} ${controlKey.controlId}`, rows);
  const [isKeeping, setKeeping] = useState(false);
  const checkbox = selectionColumn(rows, selection, ({ title, subject }) => title ?? evaluatedItemName(subject));
  return (
    <section aria-labelledby="every-row">
      <h2 id="every-row" className={s.every}>
        All items
      </h2>
      <Filters>
        <MultiSelect
          name="Verdict"
          options={verdicts.map((verdict) => ({
            value: verdict,
            label: verdictBadges[verdict][1],
            count: control.counts[verdict],
          }))}
          values={query.verdict}
          onChange={(verdict) => setQuery({ verdict: verdict as Verdict[] })}
          emptyText="No verdicts"
        />
      </Filters>
      <PagedTable
        tall
        list={list}
        columns={[{ ...checkbox, cell: (row) => checkbox.cell({ ...row, id: String(row.position) }) }, ...columns]}
        label={`Items of ${control.id}`}
        noun="rows"
        rowKey={({ subject }) => subject}
        noMatch="No items match this verdict"
        filters={query.verdict.map((verdict) => `Verdict: ${verdictBadges[verdict][1]}`)}
        empty={
          <Empty kind="nothing-yet" title={`${statusBadges[control.status][1]} in this period`}>
            {control.population} No item matches the population of this control, so it is not shown as passing.
          </Empty>
        }
      />
      <SelectionBar noun="items" selection={selection} total={selection.chosen.size}>
        <Button onClick={() => setKeeping(true)}>Keep {selection.chosen.size} as sample</Button>
      </SelectionBar>
      {isKeeping && (
        <KeepSample
          controlKey={controlKey}
          population={control.counts.population}
          positions={[...selection.chosen.values()].map(({ position }) => position)}
          onClose={() => setKeeping(false)}
        />
      )}
    </section>
  );
}

function useColumns({ portalId, snapshotId }: PortalControlKey) {
  return useMemo(
    () => portalItemColumnsOf((entry) => portalPageHref(portalId, 'snapshots', snapshotId, 'changes', entry)),
    [portalId, snapshotId],
  );
}

const factsOf = ({ population, verdicts: verdictTexts, parameters, settings, entry, rowsSha256 }: Control) =>
  [
    ['Population', population],
    ['Pass', verdictTexts.pass],
    ['Fail', verdictTexts.fail],
    ['Missing evidence', verdictTexts.missing_evidence],
    [
      'Parameters',
      <ul key="settings" className={s.value}>
        {settings.length === 0 && <li>Defaults</li>}
        {settings.map(({ version, setting, from }) => (
          <li key={version}>
            {version === 0 ? 'Defaults' : `Version ${version}`}
            {from !== null && ` from ${utcTimeText(from)}`}
            {parameters.map(({ name, title }) => (
              <span key={name}>
                <span className="dim">, {title}:</span> {settingText(setting[name])}
              </span>
            ))}
          </li>
        ))}
      </ul>,
    ],
    ['Ledger entry', String(entry)],
    [
      'SHA-256 of the items',
      <code key="hash" className={s.hash}>
        {rowsSha256}
      </code>,
    ],
  ] as const;
