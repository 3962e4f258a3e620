import { Select } from '@mantine/core';
import { type ControlState, listControlRows } from '@sightline/contract/compliance/control-runs.ts';
import { findingControls } from '@sightline/contract/vulnerabilities/waivers.ts';
import { useState } from 'react';
import { usePagedList } from '#lib/paged-list.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { statusBadges, verdictBadges } from '#ui/verdicts.ts';
import { WaiverDialog } from '../../../vulnerabilities/waivers/WaiverDialog.tsx';
import type { WaiverAction } from '../../../vulnerabilities/waivers/waiver-action.ts';
import { controlItemColumns, requestWaiverColumn } from './controlItemColumns.tsx';

/** Lists every item of the population with verdict and reason, in chronological order. */
export function ControlItems({ control, period }: { control: ControlState; period: string }) {
  const list = usePagedList(listControlRows, {
    input: (query) => ({ params: { id: control.id }, query: { ...query, period } }),
    view: ['period', 'asOf'],
  });
  const { query, setQuery } = list;
  const [action, setAction] = useState<WaiverAction>();
  const requestWaiver = (subject: string) => setAction({ kind: 'request', subject: { control: control.id, subject } });
  // Waivers for vulnerabilities are requested on the pages of the findings.
  const mayRequestWaiver =
    hasPermission(useSession(), 'write:findings') && !findingControls.some((id) => id === control.id);
  const reasons = Object.entries(control.result?.reasons ?? {}).toSorted(([, one], [, other]) => other - one);
  return (
    <div>
      {reasons.length > 1 && (
        <Filters>
          <Select
            aria-label="Reason"
            placeholder="Any reason"
            w={320}
            clearable
            searchable
            data={reasons.map(([code, count]) => ({ value: code, label: `${wordsOf(code)} (${count})` }))}
            value={query.reason === '' ? null : query.reason}
            onChange={(reason) => setQuery({ reason: reason ?? '' })}
          />
        </Filters>
      )}
      <PagedTable
        tall
        list={list}
        label={`Items of ${control.id}`}
        noun="rows"
        columns={mayRequestWaiver ? [...controlItemColumns, requestWaiverColumn(requestWaiver)] : controlItemColumns}
        rowKey={({ subject }) => subject}
        noMatch="No items match this verdict"
        filters={[
          ...query.verdict.map((verdict) => `Verdict: ${verdictBadges[verdict][1]}`),
          ...(query.reason === '' ? [] : [`Reason: ${wordsOf(query.reason)}`]),
        ]}
        empty={
          <Empty
            kind="nothing-yet"
            title={`${statusBadges[control.result?.status ?? 'not_applicable'][1]} in this period`}
          >
            {control.population} No item matches the population of this control, so it is not shown as passing.
          </Empty>
        }
      />
      <WaiverDialog action={action} onClose={() => setAction(undefined)} />
    </div>
  );
}

const wordsOf = (code: string) => code.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
