import { Button, TextInput } from '@mantine/core';
import { type ControlState, getControlSample } from '@sightline/contract/compliance/control-runs.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '#lib/api.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import s from './Control.module.css';
import { rowColumns } from './rowColumns.tsx';

interface SampleProps {
  control: ControlState;
  which: { period: string; asOf: string | undefined };
}

/** Rows that nobody could choose: drawn by the root of the checkpoint, or by a seed of the auditor's own. */
export function Sample({ control, which }: SampleProps) {
  const [typed, setTyped] = useState('');
  const [seed, setSeed] = useState<string>();
  const asked = useQuery({
    ...ask(getControlSample, { params: { id: control.id }, query: { ...which, seed } }),
    enabled: control.result !== null,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const sample = asked.data;
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
            ? `${sample.rows.length} of ${sample.population} rows, drawn by ${sample.isDrawnByLedger ? 'the root of the checkpoint: it was fixed only after all rows were in the ledger' : 'your own seed'}.`
            : 'Drawn by the root of the checkpoint, which was fixed only after all rows were in the ledger.'}
        </p>
        {sample && (
          <p className={s.seed}>
            <span className="dim">Seed</span> <code>{sample.seed}</code>
            <CopyButton compact value={sample.seed} label="Copy seed" />
          </p>
        )}
        <div className={s.own}>
          <TextInput
            aria-label="Your own seed"
            placeholder="Your own seed"
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
      {asked.error && !sample ? (
        <Failure title="The sample could not be drawn" error={asked.error} onRetry={() => void asked.refetch()} />
      ) : (
        <DataTable
          tall
          label={`Sample of ${control.id}`}
          columns={rowColumns}
          rows={control.result === null ? [] : sample?.rows}
          rowKey={({ subject }) => subject}
          stale={asked.isPlaceholderData}
          empty={
            <Empty kind="nothing-yet" title="Nothing to draw from">
              A sample is drawn from the rows of a period once they have been judged.
            </Empty>
          }
        />
      )}
    </Panel>
  );
}
