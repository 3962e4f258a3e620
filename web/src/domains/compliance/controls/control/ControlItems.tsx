import { Button, Select } from '@mantine/core';
import { type ControlRow, listControlRows } from '@sightline/contract/compliance/control-rows.ts';
import type { ControlState } from '@sightline/contract/compliance/control-runs.ts';
import { findingControls } from '@sightline/contract/vulnerabilities/waivers.ts';
import { useState } from 'react';
import { usePagedList } from '#lib/paged-list.ts';
import { type Selection, useSelection } from '#lib/selection.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { SelectionBar } from '#ui/SelectionBar.tsx';
import { selectionColumn } from '#ui/selectionColumn.tsx';
import { statusBadges, verdictBadges } from '#ui/verdicts.ts';
import type { Column } from '../../../../ui/column.ts';
import { ListTable } from '../../../timeline/views/ListTable.tsx';
import { WaiverDialog } from '../../../vulnerabilities/waivers/WaiverDialog.tsx';
import type { WaiverAction } from '../../../vulnerabilities/waivers/waiver-action.ts';
import { RemediationDialog } from '../remediations/RemediationDialog.tsx';
import type { RemediatedItem, RemediationAction } from '../remediations/remediation-action.ts';
import {
  controlItemColumns,
  failureMenuColumn,
  hasFailed,
  remediatedItemOf,
  remediationColumn,
  rowName,
} from './controlItemColumns.tsx';

/** Lists every item of the population with verdict and reason, in chronological order. */
export function ControlItems({ control, period }: { control: ControlState; period: string }) {
  const list = usePagedList(listControlRows, {
    input: (query) => ({ params: { id: control.id }, query: { ...query, period } }),
    view: ['period', 'asOf'],
  });
  const { query, setQuery } = list;
  const [action, setAction] = useState<WaiverAction>();
  const requestWaiver = (subject: string) => setAction({ kind: 'request', subject: { control: control.id, subject } });
  const [remediationAction, setRemediationAction] = useState<RemediationAction>();
  const session = useSession();
  const mayChange = hasPermission(session, 'write:findings');
  // Waivers for vulnerabilities are requested on the pages of the findings.
  const mayRequestWaiver = mayChange && !findingControls.some((id) => id === control.id);
  const failed = (list.rows ?? []).filter(hasFailed).map((row) => ({ ...row, id: row.subject }));
  const selection = useSelection(`${control.id} ${period}`, failed);
  const chosen = [...selection.chosen.values()].map(remediatedItemOf);
  const menu = failureMenuColumn({
    mayRequestWaiver,
    onRequestWaiver: requestWaiver,
    remediation: { control: control.id, period, mayChange, onAction: setRemediationAction },
  });
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
      <ListTable
        views="control-items"
        tall
        list={list}
        label={`Items of ${control.id}`}
        noun="rows"
        columns={[
          ...(mayChange && failed.length > 0 ? [failedSelectionColumn(failed, selection)] : []),
          ...withRemediation(controlItemColumns),
          ...(mayChange || failed.some(({ remediation }) => remediation?.allowed.retest) ? [menu] : []),
        ]}
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
      <SelectionBar noun="items" selection={selection} total={selection.chosen.size}>
        {isFilled(chosen) && (
          <Button onClick={() => setRemediationAction({ kind: 'change', control: control.id, period, items: chosen })}>
            Assign {chosen.length}
          </Button>
        )}
      </SelectionBar>
      <RemediationDialog
        action={remediationAction}
        onClose={() => setRemediationAction(undefined)}
        onChanged={selection.clear}
      />
      <WaiverDialog action={action} onClose={() => setAction(undefined)} />
    </div>
  );
}

type SelectableRow = ControlRow & { id: string };

/** Only items that failed have a checkbox. */
function failedSelectionColumn(
  failed: readonly SelectableRow[],
  selection: Selection<SelectableRow>,
): Column<ControlRow> {
  const column = selectionColumn(failed, selection, rowName);
  return { ...column, cell: (row) => hasFailed(row) && column.cell({ ...row, id: row.subject }) };
}

/** The columns with that of the remediation before the last one. */
const withRemediation = (columns: readonly Column<ControlRow>[]): Column<ControlRow>[] => [
  ...columns.slice(0, -1),
  remediationColumn,
  ...columns.slice(-1),
];

const isFilled = (items: readonly RemediatedItem[]): items is readonly [RemediatedItem, ...RemediatedItem[]] =>
  items.length > 0;

const wordsOf = (code: string) => code.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
