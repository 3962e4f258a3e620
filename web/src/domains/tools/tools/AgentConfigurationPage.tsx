import { Button } from '@mantine/core';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import {
  configurationStateNames,
  configurationStates,
  configurationTypeNames,
  configurationTypes,
  configuredAgentNames,
  configuredAgents,
  listAgentConfiguration,
} from '@sightline/contract/tools/agent-configuration.ts';
import { mcpTransports } from '@sightline/contract/tools/describe-mcp-servers.ts';
import { mcpTransportNames } from '@sightline/contract/tools/mcp-servers.ts';
import { listToolFilters, toolApprovalNames, toolApprovals } from '@sightline/contract/tools/tools.ts';
import { IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { Link } from '#ui/Link.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { configurationColumns } from './configurationColumns.tsx';
import { DecideToolDialog, type ToolDecisionRequest } from './DecideToolDialog.tsx';
import { toolHref } from './toolsQuery.ts';

const optionsOf = <Value extends string>(values: readonly Value[], names: Readonly<Record<Value, string>>) =>
  values.map((value) => ({ value, label: names[value] }));
const sourceNames = { repository: 'Repositories', editor: 'Editors' } as const;

const choices = {
  types: optionsOf(configurationTypes, configurationTypeNames),
  agents: optionsOf(configuredAgents, configuredAgentNames),
  transports: optionsOf(mcpTransports, mcpTransportNames),
  approvals: optionsOf(toolApprovals, toolApprovalNames),
  states: optionsOf(configurationStates, configurationStateNames),
  sources: optionsOf(['repository', 'editor'], sourceNames),
};
const labels: readonly (readonly [name: keyof typeof choices, label: string])[] = [
  ['types', 'Type'],
  ['agents', 'Agent'],
  ['transports', 'Transport'],
  ['approvals', 'Approval'],
  ['states', 'State'],
  ['sources', 'Found in'],
];

/** Lists the configuration of coding agents: their files in repositories, and MCP servers there and in editors. */
export function AgentConfigurationPage() {
  const list = usePagedList(listAgentConfiguration);
  const { query, setQuery } = list;
  const [asked, setAsked] = useState<ToolDecisionRequest>();
  const isArchived =
    useQuery({ ...endpointQuery(getOrganization, {}), meta: { quiet: true } }).data?.archivedAt != null;
  const mayDecide = hasPermission(useSession(), 'write:policies') && !isArchived;
  const repositories =
    useQuery({ ...endpointQuery(listToolFilters, { query: {} }), meta: { quiet: true } }).data?.repositories ?? [];
  const shown = [
    ...labels.flatMap(([name, label]) => {
      const values: readonly string[] = query[name];
      const named = choices[name].filter(({ value }) => values.includes(value));
      return named.length === 0 ? [] : [`${label}: ${named.map((one) => one.label).join(', ')}`];
    }),
    ...(query.repositories.length === 0
      ? []
      : [
          `Repository: ${query.repositories.map((id) => repositories.find(({ value }) => value === id)?.label ?? id).join(', ')}`,
        ]),
  ];
  return (
    <>
      <PageHeader
        title="Agent configuration"
        back={{ label: 'Tool Inventory', href: '/tools' }}
        help={{ href: docsHref('agents', 'configuration'), about: 'agent configuration' }}
        note="Files that configure coding agents, and the MCP servers in them and in editors. Values of variables, headers and arguments are never stored."
        actions={
          <Button component={Link} href="/agent-sessions" variant="default">
            Agent sessions
          </Button>
        }
      />
      {!list.isEmptyUnfiltered && (
        <Filters>
          <SearchBox label="Search configuration" value={query.search} onChange={(search) => setQuery({ search })} />
          {labels.map(([name, label]) => (
            <MultiSelect
              key={name}
              name={label}
              options={choices[name]}
              values={query[name]}
              onChange={(values) => setQuery({ [name]: values })}
              emptyText="Nothing to choose"
            />
          ))}
          <MultiSelect
            name="Repository"
            options={repositories}
            values={query.repositories}
            onChange={(values) => setQuery({ repositories: values })}
            emptyText="No repositories available"
          />
        </Filters>
      )}
      <ListTable
        views="agent-configuration"
        list={list}
        label="Agent configuration"
        noun="items"
        tall
        columns={configurationColumns(mayDecide ? setAsked : undefined)}
        rowKey={({ id }) => id}
        rowHref={({ tool }) => toolHref(tool.id)}
        noMatch="No configuration matches"
        filters={shown}
        empty={
          <Empty
            kind="nothing-yet"
            title="No agent configuration found"
            icon={<IconPlugConnected size={19} stroke={1.6} />}
            action={
              <Button component={Link} href="/repositories" variant="default">
                Repositories
              </Button>
            }
          >
            Files such as .mcp.json, AGENTS.md and .claude/settings.json in enabled repositories appear here, and MCP
            servers of editors with the extension.
          </Empty>
        }
      />
      {asked && <DecideToolDialog request={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
