import { Button } from '@mantine/core';
import { csvExportOf, type ExportableList } from '@sightline/contract/core/csv-export.ts';
import type { CallInput, Endpoint } from '@sightline/contract/core/endpoint.ts';
import type { ViewList } from '@sightline/contract/timeline/explore.ts';
import { IconDownload } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { useColumnChoice } from '#lib/column-choice.ts';
import { useExport } from '#lib/use-export.ts';
import { ColumnSelect } from '#ui/ColumnSelect.tsx';
import { ExportProgress } from '#ui/Export.tsx';
import { toast } from '#ui/toast.ts';
import s from './ListTools.module.css';
import { ListViews } from './ListViews.tsx';

export interface ListToolsProps {
  /** The saved views of the list. */
  views: Exclude<ViewList, 'events'>;
  /** The list and the input of its request. Its export has the same filters. */
  endpoint: Endpoint;
  input: object;
  /** In sentences: 'pull requests'. */
  noun: string;
  /** The number of rows that the export contains. */
  total: number;
  columns: Pick<ReturnType<typeof useColumnChoice>, 'choices' | 'shown' | 'choose'>;
}

/** Saved views, selection of columns, and the export as CSV. */
export function ListTools({ views, endpoint, input, noun, total, columns }: ListToolsProps) {
  const exported = useMemo(() => csvExportOf(endpoint as ExportableList), [endpoint]);
  const exporting = useExport(exported, () => toast.success(`The ${noun} were exported.`));
  const { choices, shown, choose } = columns;
  const start = () => {
    const { query = {}, ...rest } = input as { query?: Record<string, unknown> };
    const { page: _page, perPage: _perPage, ...filters } = query;
    exporting.start({ ...rest, query: filters } as CallInput<typeof exported>);
  };
  return (
    <>
      <div className={s.tools}>
        <ListViews list={views} compact />
        {choices.length > 1 && <ColumnSelect choices={choices} shown={shown} onChange={choose} compact />}
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconDownload size={15} aria-hidden />}
          disabled={exporting.state !== undefined || total === 0}
          onClick={start}
        >
          Export CSV
        </Button>
      </div>
      {exporting.state && (
        <div className={s.export}>
          <ExportProgress
            state={exporting.state}
            label={`Exporting ${noun}`}
            noun={noun}
            onStop={exporting.stop}
            onRetry={exporting.retry}
          />
        </div>
      )}
    </>
  );
}
