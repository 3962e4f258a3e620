import { Button, Select } from '@mantine/core';
import { createPersonalKey, MCP_KEY_DAYS } from '@sightline/contract/identity/access-keys.ts';
import type { McpClientId } from '@sightline/contract/platform/mcp.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { docsHref } from '#lib/docs.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { HelpLink } from '#ui/HelpLink.tsx';
import { Panel } from '#ui/Panel.tsx';
import { SegmentedToggle } from '#ui/SegmentedToggle.tsx';
import s from './AgentSessions.module.css';
import { type McpCredential, mcpAgents, mcpSettingOf } from './mcpSettings.ts';
import { SettingsFile } from './SettingsFile.tsx';

/** Shows the settings with which an agent reads evidence from the MCP server of this installation. */
export function McpSetup() {
  const [agent, setAgent] = useState<McpClientId>('claude-code');
  const [credential, setCredential] = useState<McpCredential>('sign-in');
  const [key, setKey] = useState<string>();
  const create = useChange(async () => {
    const created = await call(createPersonalKey, { body: { name: 'MCP server', use: 'mcp' } });
    setKey(created.key);
  });
  const { files, next } = mcpSettingOf(agent, credential, { address: location.origin, key: key ?? 'ACCESS_KEY' });
  return (
    <Panel
      className={s.section}
      title="MCP server"
      aside={<HelpLink href={docsHref('mcp', 'connect-an-agent')} about="the MCP server" />}
    >
      <div className={s.steps}>
        <p>
          An agent reads what you may read here: events, vulnerabilities, changes, controls and proofs. It can change
          nothing.
        </p>
        <div className={s.row}>
          <Select
            aria-label="Agent for the MCP server"
            data={mcpAgents}
            value={agent}
            onChange={(chosen) => setAgent((chosen as McpClientId | null) ?? agent)}
            allowDeselect={false}
          />
          <SegmentedToggle
            label="Credential"
            choices={[
              { value: 'sign-in', label: 'Sign in' },
              { value: 'key', label: 'Access key' },
            ]}
            value={credential}
            onChange={setCredential}
          />
        </div>
        {credential === 'key' &&
          (key === undefined ? (
            <div className={s.row}>
              <Button loading={create.isPending} onClick={() => create.mutate()}>
                Create access key
              </Button>
              <span>It expires after {MCP_KEY_DAYS} days.</span>
            </div>
          ) : (
            <div className={s.row}>
              <CopyButton value={key} label="Copy key" />
              <span>The settings below contain the key. It is shown once and stored only as a hash.</span>
            </div>
          ))}
        {files.map(({ name, text }) => (
          <SettingsFile key={name} name={name} text={text} label={`${name} for the MCP server`} />
        ))}
        <p className="dim">{next}</p>
      </div>
    </Panel>
  );
}
