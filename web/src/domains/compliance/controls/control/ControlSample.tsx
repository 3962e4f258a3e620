import { Button, TextInput } from '@mantine/core';
import { getControlSample } from '@sightline/contract/compliance/control-rows.ts';
import type { ControlState } from '@sightline/contract/compliance/control-runs.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import s from './Control.module.css';
import { controlItemColumns } from './controlItemColumns.tsx';

interface SampleProps {
  control: ControlState;
  which: { period: string; asOf: string | undefined };
}

/** Draws a sample by the checkpoint root hash, which cannot be chosen, or by a custom seed. */
export function ControlSample({ control, which }: SampleProps) {
  const [typed, setTyped] = useState('');
  const [seed, setSeed] = useState<string>();
  const result = useQuery({
    ...endpointQuery(getControlSample, { params: { id: control.id }, query: { ...which, seed } }),
    enabled: control.result !== null,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const sample = result.data;
  return (
    <Panel flush>
      <form
        className={s.draw}
        onSubmit={(event) => {
          event.preventDefault();
          setSeed(typed.trim() === '' ? undefined : typed.trim());
        }}
      >
        <p className="dim">
          {sample
            ? `${sample.rows.length} of ${sample.population} items, selected by ${sample.isLedgerSeed ? 'the root hash of the checkpoint, which was fixed after all items were recorded' : 'a custom seed'}.`
            : 'Selected by the root hash of the checkpoint, which was fixed after all items were recorded.'}
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
          <Button type="submit" variant="default">
            Draw
          </Button>
        </div>
      </form>
      {result.error && !sample ? (
        <Failure title="The sample could not be loaded" error={result.error} onRetry={() => void result.refetch()} />
      ) : (
        <DataTable
          tall
          label={`Sample of ${control.id}`}
          columns={controlItemColumns}
          rows={control.result === null ? [] : sample?.rows}
          rowKey={({ subject }) => subject}
          stale={result.isPlaceholderData}
          empty={
            <Empty kind="nothing-yet" title="No items to sample">
              Items can be sampled after the period was evaluated.
            </Empty>
          }
        />
      )}
    </Panel>
  );
}
