import { Button, NativeSelect } from '@mantine/core';
import { type ControlState, listControls } from '@sightline/contract/compliance/control-runs.ts';
import type { ApiError } from '@sightline/contract/core/client.ts';
import { useColumnChoice } from '#lib/column-choice.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Filters } from '#ui/Filters.tsx';
import { Panel } from '#ui/Panel.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { VerdictBar } from '#ui/VerdictBar.tsx';
import { statusBadges } from '#ui/verdicts.ts';
import type { Column } from '../../../ui/column.ts';
import { ListToolbar } from '../../timeline/views/ListToolbar.tsx';
import { ControlIcon } from './ControlIcon.tsx';
import type { ControlsFilter, ShownStatus } from './useControlsFilter.ts';

interface ControlsTableProps {
  /** Undefined while loading. */
  controls: readonly ControlState[] | undefined;
  failure: ApiError | undefined;
  onRetry: () => void;
  stale: boolean;
  period: string;
  filter: ControlsFilter;
  onFilter: (patch: Partial<ControlsFilter>) => void;
}

/** Lists the controls in report order, each with its status. */
export function ControlsTable({ controls, failure, onRetry, stale, period, filter, onFilter }: ControlsTableProps) {
  const { statuses, framework } = filter;
  const choice = useColumnChoice(columns);
  const rows = controls?.filter(
    (control) =>
      (statuses.length === 0 || statuses.includes(statusOf(control))) &&
      (framework === undefined || frameworksOf(control).includes(framework)),
  );
  return (
    <div>
      <Filters>
        <NativeSelect
          aria-label="Framework"
          data={[{ value: '', label: 'All frameworks' }, ...new Set(controls?.flatMap(frameworksOf))]}
          value={framework ?? ''}
          onChange={({ currentTarget: { value } }) => onFilter({ framework: value === '' ? undefined : value })}
        />
      </Filters>
      <Panel flush>
        {failure ? (
          <Failure title="The controls could not be loaded" error={failure} onRetry={onRetry} />
        ) : (
          <>
            <ListToolbar
              views="controls"
              endpoint={listControls}
              input={{ query: { period } }}
              noun="controls"
              total={controls?.length ?? 0}
              columns={choice}
            />
            <DataTable
              tall
              label="Controls"
              columns={choice.columns}
              rows={rows}
              rowKey={({ id }) => id}
              rowHref={({ id }) => `/evidence/controls/${id}?period=${period}`}
              stale={stale}
              skeletonRows={18}
              empty={
                <Empty
                  kind="no-match"
                  title="No controls match these filters"
                  filters={[
                    ...statuses.map((status) => statusBadges[status][1]),
                    ...(framework === undefined ? [] : [framework]),
                  ]}
                  action={
                    <Button variant="default" onClick={() => onFilter({ statuses: [], framework: undefined })}>
                      Clear filters
                    </Button>
                  }
                />
              }
            />
          </>
        )}
      </Panel>
    </div>
  );
}

const frameworksOf = ({ crosswalk }: ControlState): string[] => crosswalk.map(({ framework }) => framework);

const statusOf = ({ result }: ControlState): ShownStatus => result?.status ?? 'not_evaluated';

const columns: readonly Column<ControlState>[] = [
  {
    key: 'control',
    header: 'Control',
    place: 'main',
    cell: ({ id, title }) => (
      <RowTitle glyph={<ControlIcon id={id} />} meta={<span className="truncate">{id}</span>}>
        <RowName>{title}</RowName>
      </RowTitle>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    width: 148,
    place: 'side',
    cell: (control) => {
      const [tone, words] = statusBadges[statusOf(control)];
      return <StatusBadge tone={tone}>{words}</StatusBadge>;
    },
  },
  {
    key: 'rows',
    header: 'Items',
    width: 300,
    place: 'meta',
    cell: ({ result, isEvaluated, task }) =>
      task && task.state !== 'done' ? (
        <span className="dim">{task.state === 'failed' ? `Failed: ${task.failure}` : 'Queued'}</span>
      ) : result ? (
        <VerdictBar counts={result.counts} />
      ) : (
        <span className="dim">{isEvaluated ? 'Not evaluated for this period' : 'No data source connected'}</span>
      ),
  },
];
