import { Button, Select } from '@mantine/core';
import { getAgentSessionFilters, listAgentSessions } from '@sightline/contract/tools/agent-sessions.ts';
import { IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { isContributor, useSession } from '#lib/session.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { Link } from '#ui/Link.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { controlPeriodChoices, periodLabel } from '#ui/periods.ts';
import { SearchBox } from '#ui/SearchBox.tsx';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { agentSessionColumns } from './agentSessionColumns.tsx';
import { PromptStorageBanner } from './PromptStorage.tsx';

const optionsOf = (items: readonly { id: string; name: string }[] = []) =>
  items.map(({ id, name }) => ({ value: id, label: name }));

/** Lists sessions of coding agents: members see their own, roles that see all events see all. */
export function AgentSessionsPage() {
  const list = usePagedList(listAgentSessions);
  const seesAllSessions = !isContributor(useSession());
  const { query, setQuery } = list;
  const options = useQuery({ ...endpointQuery(getAgentSessionFilters, {}), meta: { quiet: true } }).data;
  const setup = (
    <Button component={Link} href="/agent-sessions/setup" variant="default">
      Set up an agent
    </Button>
  );
  const labelsOf = (values: readonly string[], named: readonly { id: string; name: string }[] = []) =>
    values.map((value) => named.find(({ id }) => id === value)?.name ?? value).join(', ');
  return (
    <>
      <PageHeader
        title="Agent sessions"
        back={{ label: 'Tool Inventory', href: '/tools' }}
        help={{ href: docsHref('agents'), about: 'agent sessions' }}
        note="What coding agents report of their use."
        actions={
          <>
            <Button component={Link} href="/agent-configuration" variant="default">
              Configuration
            </Button>
            <Button component={Link} href="/agent-reconciliation" variant="default">
              Reconciliation
            </Button>
            {seesAllSessions && (
              <Button component={Link} href="/agent-sessions/copilot" variant="default">
                GitHub Copilot usage
              </Button>
            )}
            {/* The empty list offers the setup itself. */}
            {!list.isEmptyUnfiltered && setup}
          </>
        }
      />
      <PromptStorageBanner />
      {!list.isEmptyUnfiltered && (
        <Filters>
          <SearchBox label="Search sessions" value={query.search} onChange={(search) => setQuery({ search })} />
          <MultiSelect
            name="Agent"
            options={optionsOf(options?.agents)}
            values={query.agent}
            onChange={(agent) => setQuery({ agent })}
            emptyText="No agents available"
          />
          <MultiSelect
            name="Model"
            options={(options?.models ?? []).map((model) => ({ value: model, label: model }))}
            values={query.model}
            onChange={(model) => setQuery({ model })}
            emptyText="No models available"
          />
          <MultiSelect
            name="Person"
            options={optionsOf(options?.people)}
            values={query.person}
            onChange={(person) => setQuery({ person })}
            emptyText="No people available"
          />
          <MultiSelect
            name="Repository"
            options={optionsOf(options?.repositories)}
            values={query.repository}
            onChange={(repository) => setQuery({ repository })}
            emptyText="No repositories available"
          />
          <Select
            aria-label="Period"
            placeholder="Any time"
            w={160}
            clearable
            data={controlPeriodChoices(new Date(), query.period ?? String(new Date().getUTCFullYear()))}
            value={query.period ?? null}
            onChange={(period) => setQuery({ period: period ?? undefined })}
          />
        </Filters>
      )}
      <ListTable
        views="agent-sessions"
        list={list}
        label="Agent sessions"
        noun="sessions"
        tall
        columns={agentSessionColumns}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/agent-sessions/${id}`}
        noMatch="No session matches"
        filters={[
          ...(query.agent.length > 0 ? [`Agent: ${labelsOf(query.agent, options?.agents)}`] : []),
          ...(query.model.length > 0 ? [`Model: ${query.model.join(', ')}`] : []),
          ...(query.person.length > 0 ? [`Person: ${labelsOf(query.person, options?.people)}`] : []),
          ...(query.repository.length > 0 ? [`Repository: ${labelsOf(query.repository, options?.repositories)}`] : []),
          ...(query.period === undefined ? [] : [`Period: ${periodLabel(query.period)}`]),
        ]}
        empty={
          <Empty
            kind="nothing-yet"
            title="No agent sessions yet"
            icon={<IconTerminal2 size={19} stroke={1.6} />}
            action={setup}
          >
            Sessions of Claude Code, Codex CLI, Gemini CLI, GitHub Copilot and other agents appear here after their
            telemetry is sent to this server.
          </Empty>
        }
      />
    </>
  );
}
