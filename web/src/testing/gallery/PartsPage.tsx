import { Button, Checkbox, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Banner } from '#ui/Banner.tsx';
import { BrandIcon } from '#ui/BrandIcon.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import { Entity } from '#ui/Entity.tsx';
import { Facts } from '#ui/Facts.tsx';
import { Freshness } from '#ui/Freshness.tsx';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { More } from '#ui/More.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Face, Faces, Person } from '#ui/Person.tsx';
import { Progress } from '#ui/Progress.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { SegmentBar } from '#ui/SegmentBar.tsx';
import { Severity } from '#ui/Severity.tsx';
import { StatusBadge, StatusDot, type Tone } from '#ui/StatusBadge.tsx';
import { severityLevels } from '#ui/severities.ts';
import { Tag } from '#ui/Tag.tsx';
import s from './gallery.module.css';

const statuses: [string, Tone, number][] = [
  ['Active', 'green', 34],
  ['Accepted', 'blue', 4],
  ['Pending', 'yellow', 6],
  ['Outdated', 'red', 2],
  ['Deactivated', 'purple', 3],
  ['Uninvited', 'gray', 5],
];
const people = ['Maya Lindqvist', 'Priya Raman', 'Tomás Herrera', 'Yuki Tanabe'].map((name) => ({ name }));
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const noop = () => undefined;

export function PartsPage() {
  const [selected, setSelected] = useState<string[]>(['Pending']);
  return (
    <>
      <PageHeader
        title="kestrel/ledger-api"
        back={{ label: 'Repositories', href: '#repositories' }}
        before={<ProviderIcon provider="github" size={20} labelled />}
        note={
          <>
            <StatusDot tone="green">Scanner active</StatusDot>
            <span>Last change 6 minutes ago</span>
          </>
        }
        freshness="Updated a moment ago"
        actions={<CopyButton value="https://example.com" label="Copy link" />}
      />
      <LinkTabs
        label="Repository"
        current="#pulls"
        tabs={[
          { label: 'Pull Requests', href: '#pulls', count: 42 },
          { label: 'Vulnerabilities', href: '#vulnerabilities', count: 1027 },
          { label: 'Settings', href: '#settings' },
        ]}
      />
      <Banner tone="error" details="The organization has no other owner." onClose={noop}>
        You cannot leave this organization.
      </Banner>
      <div className={s.grid}>
        <Panel title="Members by status" aside={<Tag>Org</Tag>}>
          <SegmentBar
            stacked
            label="Filter by status"
            selected={selected}
            onChange={setSelected}
            segments={statuses.map(([label, tone, count]) => ({
              key: label,
              label,
              count,
              fill: `var(--ui-${tone}-bar)`,
            }))}
          />
        </Panel>
        <Panel title="State and severity">
          <div className={s.stack}>
            <div className={s.row}>
              {statuses.map(([label, tone]) => (
                <StatusBadge key={label} tone={tone}>
                  {label}
                </StatusBadge>
              ))}
            </div>
            <div className={s.row}>
              {severityLevels.map((level) => (
                <Severity key={level} level={level} />
              ))}
            </div>
            <Freshness at={daysAgo(0.5)} />
            <Freshness at={daysAgo(4)} />
            <Freshness at={daysAgo(40)} />
          </div>
        </Panel>
        <Panel title="People">
          <div className={s.stack}>
            <Person name="Maya Lindqvist" detail="maya@kestrelpay.example" isYou />
            <Person name="Priya Raman" />
            <div className={s.row}>
              <Faces people={people} />
              <More count={3} title="People">
                {people.slice(1).map(({ name }) => (
                  <li key={name}>
                    <Face name={name} size={20} />
                    {name}
                  </li>
                ))}
              </More>
              <Face name="Kestrel Payments" size={36} square />
            </div>
          </div>
        </Panel>
        <Panel title="Things and marks">
          <div className={s.stack}>
            <div className={s.row}>
              <Entity kind="user" text="Maya Lindqvist" onClick={noop} />
              <span className="dim">opened</span>
              <Entity kind="pull_request" text="#1284" onClick={noop} />
              <span className="dim">in</span>
              <Entity kind="repository" text="kestrel/ledger-api" icon={<ProviderIcon provider="github" size={13} />} />
              <Entity kind="branch" text="feature/idempotent-refunds" onClick={noop} />
            </div>
            <div className={s.row}>
              {['vscode', 'chrome', 'firefox', 'edge', 'opera', 'brave', 'checkmarx', 'docker', 'nothing'].map(
                (name) => (
                  <BrandIcon key={name} name={name} size={18} />
                ),
              )}
              <CopyButton value="x" label="Copy link" compact />
            </div>
            <Progress label="Importing repositories" done={7} total={18} words="7 of 18 repositories" />
            <Progress label="Setup" done={2} total={3} steps />
          </div>
        </Panel>
        <Panel title="Fields">
          <div className={s.stack}>
            <TextInput label="Name" defaultValue="Kestrel Payments" required />
            <TextInput label="Base API URL" description="Optional" error="Enter an address that starts with https://" />
            <PasswordInput label="API key" placeholder="Paste the key" />
            <Textarea label="Description" rows={2} />
            <Checkbox label="ledger-api" defaultChecked />
            <Switch label="Vulnerabilities" defaultChecked />
          </div>
        </Panel>
        <Panel title="Danger Zone" danger>
          <div className={s.stack}>
            <p>Archiving deactivates contributors and reviewers, and leaves the data read-only for owners.</p>
            <div className={s.row}>
              <Button color="red" variant="outline">
                Archive organization
              </Button>
              <DisabledReason reason="Only the account owner can make this action">
                <Button disabled>Disable repository</Button>
              </DisabledReason>
              <Button>Save</Button>
            </div>
            <Facts
              side
              items={[
                ['Severity', <Severity key="severity" level="high" />],
                ['Code', 'CWE-89'],
              ]}
            />
          </div>
        </Panel>
      </div>
    </>
  );
}
