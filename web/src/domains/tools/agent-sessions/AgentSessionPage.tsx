import {
  type AgentSessionDetail,
  type AgentTotals,
  agentMeasures,
  agentRecordKinds,
  getAgentSession,
  listAgentRecords,
} from '@sightline/contract/tools/agent-sessions.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { Empty } from '#ui/Empty.tsx';
import { ExternalLink } from '#ui/ExternalLink.tsx';
import { Facts } from '#ui/Facts.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './AgentSessions.module.css';
import { agentRecordColumns } from './agentSessionColumns.tsx';
import { measureLabels, measureText, personSourceTexts, recordKindLabels } from './measureTexts.ts';
import { PromptStorageBanner } from './PromptStorage.tsx';

const back = { label: 'Agent sessions', href: '/agent-sessions' };

/** Shows one session of a coding agent: its totals, and its records in order. */
export function AgentSessionPage() {
  const { sessionId } = useParams({ strict: false });
  if (sessionId === undefined) throw new Error('The address has no session ID');
  const {
    data: session,
    error,
    refetch,
  } = useQuery({
    ...endpointQuery(getAgentSession, { params: { sessionId } }),
    meta: { quiet: true },
  });
  if (!session) {
    return (
      <>
        <PageHeader title="Agent session" back={back} />
        <Panel>
          {error ? (
            <Failure title="The session could not be loaded" error={error} onRetry={() => void refetch()} />
          ) : (
            <p className="dim" role="status" aria-busy>
              Loading
            </p>
          )}
        </Panel>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={`${session.agent.name} session`}
        back={back}
        help={{ href: docsHref('agents'), about: 'agent sessions' }}
        note={<span className="mono">{session.vendorSessionId}</span>}
      />
      <PromptStorageBanner />
      <div className={s.columns}>
        <SessionRecords sessionId={sessionId} />
        <div className={s.aside}>
          <Panel title="Session">
            <Facts side items={factsOf(session)} />
          </Panel>
          <Panel title="Totals">
            <Facts side items={totalItems(session.totals)} />
          </Panel>
          <SessionResults session={session} />
          {session.byModel.map(({ model, totals }) => (
            <Panel key={model} title={model}>
              <Facts side items={totalItems(totals)} />
            </Panel>
          ))}
        </div>
      </div>
    </>
  );
}

/** Shows the commits and builds of a session. */
function SessionResults({ session: { builds, commits } }: { session: AgentSessionDetail }) {
  if (builds.length + commits.length === 0) return null;
  return (
    <Panel title="Commits and builds">
      <ul className={s.results}>
        {commits.map((sha) => (
          <li key={sha}>
            <code>{sha.slice(0, 12)}</code>
          </li>
        ))}
        {builds.map((build) => (
          <li key={build}>
            <ExternalLink href={build}>{build.replace(/^https?:\/\//, '')}</ExternalLink>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function SessionRecords({ sessionId }: { sessionId: string }) {
  const list = usePagedList(listAgentRecords, { input: (query) => ({ params: { sessionId }, query }) });
  const { query, setQuery } = list;
  return (
    <div>
      {!list.isEmptyUnfiltered && (
        <Filters>
          <SearchBox label="Search records" value={query.search} onChange={(search) => setQuery({ search })} />
          <MultiSelect
            name="Kind"
            options={agentRecordKinds.map((kind) => ({ value: kind, label: recordKindLabels[kind] }))}
            values={query.kind}
            onChange={(kinds) => setQuery({ kind: agentRecordKinds.filter((kind) => kinds.includes(kind)) })}
            emptyText="No kinds available"
          />
        </Filters>
      )}
      <PagedTable
        list={list}
        label="Records"
        noun="records"
        tall
        columns={agentRecordColumns}
        rowKey={({ id }) => id}
        noMatch="No record matches"
        filters={query.kind.map((kind) => recordKindLabels[kind])}
        empty={
          <Empty kind="nothing-yet" title="No records">
            The agent reported only totals, or the retention period of the records has ended.
          </Empty>
        }
      />
    </div>
  );
}

const factsOf = (session: AgentSessionDetail) =>
  [
    ['Person', session.person ? <PersonName key="person" person={session.person} /> : 'Unknown'],
    ['Source of the person', personSourceTexts[session.personSource]],
    ['Repository', session.repository?.fullName ?? 'Not reported'],
    ['Branch', session.branch ?? 'Not reported'],
    ['Version', session.version ?? 'Not reported'],
    ['First activity', <TimeAgo key="first" at={session.firstAt} />],
    ['Last activity', <TimeAgo key="last" at={session.lastAt} />],
  ] as const;

const totalItems = (totals: AgentTotals) =>
  agentMeasures.flatMap((measure) => {
    const value = totals[measure];
    return value === undefined ? [] : [[measureLabels[measure], measureText(measure, value)] as const];
  });
