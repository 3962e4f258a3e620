import { type ChangeAgents, getChangeAgents } from '@sightline/contract/compliance/agent-reconciliation.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { DocsLink } from '#ui/DocsLink.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import {
  confidenceTexts,
  costText,
  joinTexts,
  missingEvidenceTexts,
  reconciliationBadges,
  withoutCostText,
} from '#ui/reconciliationTexts.ts';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { verdictBadges } from '#ui/verdicts.ts';
import s from './Changes.module.css';
import { changePersonName } from './changeColumns.tsx';

/** Shows the agents of a change, whether they are declared and observed, and the sessions that are joined to it. */
export function SessionsOfChange({ changeId }: { changeId: string }) {
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getChangeAgents, { params: { id: changeId } }),
    meta: { quiet: true },
  });
  return (
    <Panel title="Agent reconciliation">
      {data ? (
        <Agents data={data} />
      ) : error ? (
        <Failure title="The agents could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <p className="dim" role="status" aria-busy>
          Loading
        </p>
      )}
    </Panel>
  );
}

function Agents({ data }: { data: ChangeAgents }) {
  const { agents, sessions, sessionsWithoutCost, cost, sessionLinks, policy, configuredServers } = data;
  if (agents.length === 0) return <p className="dim">This change was recorded before agents were reconciled.</p>;
  return (
    <>
      {policy && <PolicyResult result={policy} />}
      {configuredServers !== null && configuredServers.length > 0 && (
        <p className={s.note}>Configures MCP servers: {configuredServers.join(', ')}</p>
      )}
      {agents.map((one) => (
        <Agent key={one.agent ?? ''} of={one} />
      ))}
      {sessions > 0 && (
        <p>
          Cost of the observed sessions: {costText(cost) ?? 'not reported'}
          {sessionsWithoutCost > 0 && cost !== null && `. ${withoutCostText(sessionsWithoutCost)}`}
        </p>
      )}
      {sessionLinks > 0 && (
        <p className={s.gap}>
          {sessionLinks === 1 ? '1 commit message links' : `${sessionLinks} commit messages link`} to an agent session.
          Such a link may grant access to the conversation. Sightline does not request it.
        </p>
      )}
      <p className={s.note}>
        <DocsLink href={docsHref('agents', 'reconciliation')}>How sessions are joined</DocsLink>
      </p>
    </>
  );
}

/** The result of the agent policy of the time of the merge, with each rule that it applied. */
function PolicyResult({
  result: { verdict, explanations, policy, rules },
}: {
  result: NonNullable<ChangeAgents['policy']>;
}) {
  const [tone, label] = verdictBadges[verdict];
  return (
    <section className={s.agent}>
      <h3>
        Agent policy <StatusBadge tone={tone}>{label}</StatusBadge>
      </h3>
      <ul className={s.list}>
        {explanations.map(({ code, about, text, remedy }) => (
          <li key={`${code}${about}`}>
            {text}
            {remedy !== null && <span className={s.note}>{remedy}</span>}
          </li>
        ))}
      </ul>
      <p className={s.note}>
        {policy === null ? (
          'Rules'
        ) : (
          <Link className="link" href={`/policies/${policy.id}`}>
            {policy.name}, version {policy.version}
          </Link>
        )}
        : {ruleTexts(rules).join('. ')}.
      </p>
    </section>
  );
}

function ruleTexts(rules: NonNullable<ChangeAgents['policy']>['rules']): string[] {
  const { approvals, unreviewedLines, protectedPaths } = rules;
  const allowed = (name: string, patterns: readonly string[]) =>
    patterns.includes('**') ? [] : [`${name}: ${patterns.length === 0 ? 'none' : patterns.join(', ')}`];
  return [
    approvals === 0
      ? 'No review required'
      : `${approvals === 1 ? '1 independent approval' : `${approvals} independent approvals`}${unreviewedLines > 0 ? ` above ${unreviewedLines} changed lines` : ''}`,
    ...allowed('Agents', rules.agents),
    ...allowed('Models', rules.models),
    ...allowed('MCP servers', rules.mcpServers),
    ...(protectedPaths.length > 0 ? [`Protected files: ${protectedPaths.join(', ')}`] : []),
  ];
}

function Agent({ of }: { of: ChangeAgents['agents'][number] }) {
  const { agent, status, missing, models, mcpServers, sessions, hiddenSessions } = of;
  const [tone, label] = reconciliationBadges[status];
  return (
    <section className={s.agent}>
      <h3>
        {agent ?? 'No agent'} <StatusBadge tone={tone}>{label}</StatusBadge>
      </h3>
      {missing !== null && <p className={s.gap}>{missingEvidenceTexts[missing]}.</p>}
      {models.length > 0 && <p className={s.note}>{models.join(', ')}</p>}
      {mcpServers !== null && mcpServers.length > 0 && <p className={s.note}>MCP servers: {mcpServers.join(', ')}</p>}
      {sessions.length > 0 && (
        <ul className={s.list}>
          {sessions.map((session) => (
            <li key={session.id}>
              {session.isOpenable ? (
                <Link className="link" href={`/agent-sessions/${session.id}`}>
                  Session of {personOf(session)}
                </Link>
              ) : (
                `Expired session of ${personOf(session)}`
              )}
              {session.cost !== null && `, ${costText(session.cost)}`}
              <span className={s.note}>
                {confidenceTexts[session.confidence]}: {session.joins.map((join) => joinTexts[join]).join(', ')}
                {session.otherChanges > 0 &&
                  `. Also joined to ${session.otherChanges === 1 ? '1 other change' : `${session.otherChanges} other changes`}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {hiddenSessions > 0 && (
        <p className={s.note}>
          {hiddenSessions === 1 ? '1 session of another person' : `${hiddenSessions} sessions of other people`}
        </p>
      )}
    </section>
  );
}

const personOf = ({ person }: ChangeAgents['agents'][number]['sessions'][number]): string =>
  person === null ? 'an unknown person' : changePersonName(person);
