import { Button, Menu } from '@mantine/core';
import {
  createView,
  deleteView,
  listViews,
  type SavedView,
  updateView,
  type ViewList,
} from '@sightline/contract/timeline/explore.ts';
import { IconBookmark, IconChevronDown, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { isOwner, useSession } from '#lib/session.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { toast } from '#ui/toast.ts';

const ViewDialog = lazy(() => import('./ViewDialog.tsx').then((module) => ({ default: module.ViewDialog })));

type ViewQuery = Pick<SavedView, 'query' | 'context' | 'chart'>;

interface SavedViewsProps {
  list: ViewList;
  /** The current query. */
  current: ViewQuery;
  /** Opens the query, the context and the chart of a view. */
  onOpen: (view: ViewQuery) => void;
  /** For the toolbar of a table. */
  compact?: boolean;
}

/** Opens saved views, saves the current query, and edits own views. Owners can delete shared views of others. */
export function SavedViews({ list, current: viewQuery, onOpen, compact = false }: SavedViewsProps) {
  const [dialog, setDialog] = useState<'new' | SavedView>();
  const [leaving, setLeaving] = useState<SavedView>();
  const owner = isOwner(useSession());
  const views = useQuery({ ...endpointQuery(listViews, { query: { list } }), meta: { quiet: true } });
  const current = views.data?.find((view) => isSameView(view, viewQuery));
  const { change, remove } = useViewChanges();
  const mine = views.data?.filter((view) => view.mine) ?? [];
  const others = views.data?.filter((view) => !view.mine) ?? [];
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button
            {...(compact ? { variant: 'subtle', color: 'gray', size: 'compact-sm' } : { variant: 'default' })}
            leftSection={<IconBookmark size={15} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            maw={240}
          >
            {current?.name ?? 'Views'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
          <Menu.Item onClick={() => setDialog('new')}>Save this view…</Menu.Item>
          {current?.mine && (
            <>
              <Menu.Item onClick={() => setDialog(current)}>Rename “{current.name}”…</Menu.Item>
              <Menu.Item
                onClick={() =>
                  change.mutate({
                    view: current,
                    body: { shared: !current.shared },
                    description: current.shared
                      ? 'The view is now private.'
                      : 'The view is now shared with the organization.',
                  })
                }
              >
                {current.shared ? 'Stop sharing' : 'Share with the organization'}
              </Menu.Item>
              <Menu.Item onClick={() => remove.mutate(current)}>Delete “{current.name}”</Menu.Item>
            </>
          )}
          {current && !current.mine && owner && (
            <Menu.Item onClick={() => setLeaving(current)}>Delete “{current.name}”…</Menu.Item>
          )}
          {!current && mine.length > 0 && (
            <>
              <Menu.Divider />
              <Menu.Label>Save this query as</Menu.Label>
              {mine.map((view) => (
                <Menu.Item
                  key={view.id}
                  aria-label={`Update ${view.name}`}
                  onClick={() => change.mutate({ view, body: viewQuery, description: `“${view.name}” was updated.` })}
                >
                  {view.name}
                </Menu.Item>
              ))}
            </>
          )}
          <Menu.Divider />
          <Views label="Your views" views={mine} onOpen={onOpen} />
          {others.length > 0 && <Views label="Shared by others" views={others} onOpen={onOpen} />}
          {views.isError && <Menu.Label>Views could not be loaded. Open this menu again later.</Menu.Label>}
          {views.data?.length === 0 && <Menu.Label>No saved views yet</Menu.Label>}
        </Menu.Dropdown>
      </Menu>
      {leaving && (
        <ConfirmDialog
          opened
          onClose={() => setLeaving(undefined)}
          title={`Delete “${leaving.name}”?`}
          confirm="Delete"
          danger
          pending={remove.isPending}
          onConfirm={() => remove.mutate(leaving, { onSettled: () => setLeaving(undefined) })}
        >
          <p>
            {leaving.owner} shares this view with the organization. It is deleted for all members. This cannot be
            undone.
          </p>
        </ConfirmDialog>
      )}
      {dialog !== undefined && (
        <Suspense>
          <ViewDialog
            view={dialog === 'new' ? undefined : dialog}
            description={descriptionOf(list, viewQuery.query)}
            keep={(named) =>
              dialog === 'new'
                ? call(createView, { body: { list, ...named, ...viewQuery } })
                : call(updateView, { params: { viewId: dialog.id }, body: named })
            }
            onClose={() => setDialog(undefined)}
            onSaved={(view) => {
              setDialog(undefined);
              toast.success(`The view “${view.name}” was saved.`);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

const isSameView = (one: ViewQuery, other: ViewQuery): boolean =>
  one.query === other.query &&
  one.context === other.context &&
  (one.chart && other.chart
    ? one.chart.kind === other.chart.kind &&
      one.chart.by === other.chart.by &&
      one.chart.top === other.chart.top &&
      one.chart.compare === other.chart.compare
    : one.chart === other.chart);

function descriptionOf(list: ViewList, query: string): string {
  if (list !== 'events') return 'It contains the filters, order, grouping and columns of this list.';
  return query === '' ? 'It shows every event.' : query;
}

interface ViewChange {
  view: SavedView;
  body: Partial<SavedView>;
  /** The confirmation. */
  description: string;
}

function useViewChanges() {
  const failed = 'The server could not be reached. Try again.';
  const change = useChange(
    ({ view, body: { name, query, context, chart, shared } }: ViewChange) =>
      call(updateView, {
        params: { viewId: view.id },
        body: {
          ...(name !== undefined && { name }),
          ...(query !== undefined && { query }),
          ...(context !== undefined && { context }),
          ...(chart !== undefined && { chart }),
          ...(shared !== undefined && { shared }),
        },
      }),
    (_, { description }) => toast.success(description),
    { failed },
  );
  const restore = useChange(
    ({ list, name, query, context, chart, shared }: SavedView) =>
      call(createView, { body: { list, name, query, context, chart, shared } }),
    undefined,
    { failed },
  );
  const remove = useChange(
    (view: SavedView) => call(deleteView, { params: { viewId: view.id } }),
    (_, view) => {
      if (view.mine) toast.offer(`The view “${view.name}” was deleted.`, 'Undo', () => restore.mutate(view));
      else toast.success(`The view “${view.name}” was deleted.`);
    },
    { failed },
  );
  return { change, remove };
}

interface ViewsProps {
  label: string;
  views: readonly SavedView[];
  onOpen: SavedViewsProps['onOpen'];
}

const Views = ({ label, views, onOpen }: ViewsProps) =>
  views.length > 0 && (
    <>
      <Menu.Label>{label}</Menu.Label>
      {views.map((view) => (
        <Menu.Item
          key={view.id}
          rightSection={view.shared ? <IconUsers size={14} aria-label="Shared" /> : undefined}
          onClick={() => onOpen(view)}
        >
          {view.name} {!view.mine && <span className="dim">by {view.owner}</span>}
        </Menu.Item>
      ))}
    </>
  );
