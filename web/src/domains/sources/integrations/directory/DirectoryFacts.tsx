import { type Directory, directoryProductNames } from '@sightline/contract/organization/directory.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Panel } from '#ui/Panel.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { MissingRequirements } from '../MissingRequirements.tsx';
import s from './Directory.module.css';

const count = new Intl.NumberFormat('en-GB');

/** The connection of the directory, and what it sent. */
export const DirectoryFacts = ({ directory, missing }: { directory: Directory; missing: readonly string[] }) => (
  <Panel title="Connection" aside={<CopyButton value={directory.url} label="Copy address" compact />}>
    <div className={s.sync}>
      <dl className={s.facts}>
        <Fact name="Product">{directoryProductNames[directory.product]}</Fact>
        <Fact name="Address">
          <span className="mono">{directory.url}</span>
        </Fact>
        <Fact name="Token">
          Ends in <span className="mono">{directory.tokenEnd}</span>, created <TimeAgo at={directory.tokenCreatedAt} />
          {directory.previousTokenUntil !== null && '. The previous one is still valid'}
        </Fact>
        <Fact name="Users">
          {count.format(directory.users.active)} active, {count.format(directory.users.inactive)} inactive
        </Fact>
        <Fact name="Groups">{count.format(directory.groups)}</Fact>
        <Fact name="Last request">
          {directory.lastRequestAt === null ? 'None yet' : <TimeAgo at={directory.lastRequestAt} />}
        </Fact>
        <Fact name="Last change">
          {directory.lastChangeAt === null ? 'None yet' : <TimeAgo at={directory.lastChangeAt} />}
        </Fact>
      </dl>
      <MissingRequirements sentences={missing} />
    </div>
  </Panel>
);

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
