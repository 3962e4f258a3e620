import { Button, Select } from '@mantine/core';
import { createAccessKey, createPersonalKey } from '@sightline/contract/identity/access-keys.ts';
import { type AgentSetup, getAgentSetup } from '@sightline/contract/tools/agent-sessions.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { docsHref } from '#lib/docs.ts';
import { isOwner, useSession } from '#lib/session.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Failure } from '#ui/Failure.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { SegmentedToggle } from '#ui/SegmentedToggle.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './AgentSessions.module.css';
import { McpSetup } from './McpSetup.tsx';
import { PromptStoragePanel } from './PromptStorage.tsx';
import { SettingsFile } from './SettingsFile.tsx';

type Audience = 'personal' | 'organization';

/** Shows the settings with which an agent sends its telemetry here, and confirms when the first record arrives. */
export function AgentSetupPage() {
  const { data: setups, error, refetch } = useQuery({ ...endpointQuery(getAgentSetup, {}), meta: { quiet: true } });
  return (
    <>
      <PageHeader
        title="Set up an agent"
        back={{ label: 'Agent sessions', href: '/agent-sessions' }}
        help={{ href: docsHref('agents', 'set-up-an-agent'), about: 'the setup of agents' }}
        note="An agent sends its telemetry to this server over OpenTelemetry."
      />
      {setups ? (
        <SetupSteps setups={setups} />
      ) : (
        <Panel>
          {error ? (
            <Failure title="The settings could not be loaded" error={error} onRetry={() => void refetch()} />
          ) : (
            <p className="dim" role="status" aria-busy>
              Loading
            </p>
          )}
        </Panel>
      )}
      <PromptStoragePanel />
      <McpSetup />
    </>
  );
}

function SetupSteps({ setups }: { setups: readonly AgentSetup[] }) {
  const mayShare = isOwner(useSession());
  const [agentId, setAgentId] = useState(setups[0]?.id ?? '');
  const [audience, setAudience] = useState<Audience>('personal');
  const [keys, setKeys] = useState<Partial<Record<Audience, string>>>({});
  const agent = setups.find(({ id }) => id === agentId) ?? setups[0];
  const create = useChange(async (target: Audience) => {
    const name = target === 'personal' ? 'Agent telemetry' : 'Agent telemetry of the organization';
    const { key } =
      target === 'personal'
        ? await call(createPersonalKey, { body: { name } })
        : await call(createAccessKey, { body: { name, use: 'telemetry' } });
    setKeys((known) => ({ ...known, [target]: key }));
  });
  if (!agent) return null;
  const key = keys[audience];
  return (
    <div className={s.steps}>
      <Panel title="1. Agent">
        <div className={s.row}>
          <Select
            aria-label="Agent"
            data={setups.map(({ id, name }) => ({ value: id, label: name }))}
            value={agent.id}
            onChange={(chosen) => setAgentId(chosen ?? agent.id)}
            allowDeselect={false}
          />
          {mayShare && (
            <SegmentedToggle
              label="Settings for"
              choices={[
                { value: 'personal', label: 'For me' },
                { value: 'organization', label: 'For the organization' },
              ]}
              value={audience}
              onChange={setAudience}
            />
          )}
        </div>
      </Panel>
      <Panel title="2. Access key">
        <div className={s.steps}>
          <p>
            {audience === 'personal'
              ? 'Sessions that your key sends are yours.'
              : 'With a key of the organization, the agent declares the person by email address.'}
          </p>
          {key === undefined ? (
            <div className={s.row}>
              <Button loading={create.isPending} onClick={() => create.mutate(audience)}>
                Create access key
              </Button>
            </div>
          ) : (
            <div className={s.row}>
              <CopyButton value={key} label="Copy key" />
              <span>The settings below contain the key. It is shown once and stored only as a hash.</span>
            </div>
          )}
        </div>
      </Panel>
      <Panel title="3. Settings">
        <div className={s.steps}>
          {agent[audience].map(({ name, text }) => (
            <SettingsFile key={name} name={name} text={text.replaceAll('{key}', key ?? 'ACCESS_KEY')} />
          ))}
          {agent.note !== null && <p className="dim">{agent.note}</p>}
        </div>
      </Panel>
      <Panel title="4. First record">
        <div className={s.row} role="status">
          {agent.lastReceivedAt === null ? (
            <>
              <StatusBadge tone="yellow">Waiting</StatusBadge>
              <span>Waiting for the first record of {agent.name}. Start it and send a prompt.</span>
            </>
          ) : (
            <>
              <StatusBadge tone="green">Received</StatusBadge>
              <span>
                Telemetry of {agent.name} arrived <TimeAgo at={agent.lastReceivedAt} />.
              </span>
            </>
          )}
        </div>
      </Panel>
    </div>
  );
}
