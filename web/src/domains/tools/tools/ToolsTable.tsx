import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { PagedTable } from '#ui/PagedTable.tsx';
import { DecideDialog, type DecisionRequest } from './DecideDialog.tsx';
import { NoTools } from './NoTools.tsx';
import { ToolFilterRow } from './ToolFilterRow.tsx';
import { toolColumns } from './toolColumns.tsx';
import { toolFilterTexts, toolHref } from './toolsQuery.ts';
import type { ToolsList } from './useTools.ts';

/** Filters and table; `single` for the list of one repository. */
export function ToolsTable({ list, single }: { list: ToolsList; single: boolean }) {
  const { filters } = list;
  const [request, setRequest] = useState<DecisionRequest>();
  const archived = useQuery({ ...endpointQuery(getOrganization, {}), meta: { quiet: true } }).data?.archivedAt != null;
  const mayDecide = hasPermission(useSession(), 'write:policies') && !archived;
  const named = [...(filters?.members ?? []), ...(filters?.repositories ?? [])];
  return (
    <>
      {!(list.bare && list.isScanning) && <ToolFilterRow list={list} single={single} />}
      <PagedTable
        list={list}
        label={list.query.tab === 'developer' ? 'Developer tools' : 'CI/CD tools'}
        noun="tools"
        columns={toolColumns(single ? list.query.projects[0] : undefined, mayDecide ? setRequest : undefined)}
        rowKey={({ id }) => id}
        rowHref={({ id }) => toolHref(id)}
        tall
        empty={<NoTools list={list} single={single} />}
        noMatch="No tool matches"
        filters={toolFilterTexts(
          single ? { ...list.query, projects: [] } : list.query,
          (id) => named.find(({ value }) => value === id)?.label ?? id,
        )}
      />
      {request && <DecideDialog request={request} onClose={() => setRequest(undefined)} />}
    </>
  );
}
