import {
  type ConfigurationItem,
  type ConfigurationProblem,
  configurationTypeNames,
  configuredAgentNames,
} from '@sightline/contract/tools/agent-configuration.ts';
import { mcpTransportNames } from '@sightline/contract/tools/mcp-servers.ts';
import { type ToolApproval, toolApprovalNames } from '@sightline/contract/tools/tools.ts';
import { ExternalLink } from '#ui/ExternalLink.tsx';
import { Link } from '#ui/Link.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusDot, type Tone } from '#ui/StatusBadge.tsx';
import { Tag } from '#ui/Tag.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import type { ToolDecisionRequest } from './DecideToolDialog.tsx';
import { programName } from './programs.ts';
import { ToolIcon } from './ToolIcon.tsx';
import { ToolMenu } from './ToolMenu.tsx';
import s from './Tools.module.css';

const problemTexts: Record<ConfigurationProblem, string> = {
  too_large: 'Could not be read: larger than 256 KB',
  malformed: 'Could not be read: malformed',
};
const approvalTones: Record<ToolApproval, Tone> = { approved: 'green', denied: 'red', unreviewed: 'gray' };

/** `onAsk` is undefined if the user cannot decide about tools. */
export const configurationColumns = (
  onAsk: ((request: ToolDecisionRequest) => void) | undefined,
): Column<ConfigurationItem>[] => [
  { key: 'name', header: 'Item', sort: 'name', place: 'main', cell: (item) => <Item item={item} /> },
  {
    key: 'runs',
    header: 'Content',
    width: 224,
    place: 'below',
    cell: ({ server, type, lastChange }) => (
      <span className={s.lines}>
        {server === null ? <span className="dim">{configurationTypeNames[type]}</span> : <Server server={server} />}
        {/* A card has no place for another column. */}
        <span className={`${s.meta} ${s.inCard}`}>
          {lastChange === null ? (
            'Last change unknown'
          ) : (
            <>
              Changed <TimeAgo at={lastChange.at} /> by {lastChange.author ?? 'an unknown author'}
            </>
          )}
        </span>
      </span>
    ),
  },
  {
    key: 'agent',
    header: 'Agent',
    width: 112,
    cell: ({ agent, program }) =>
      program === null || program === agent ? configuredAgentNames[agent] : programName(program),
  },
  {
    key: 'approval',
    header: 'Approval',
    width: 136,
    place: 'meta',
    cell: ({ approval: { state, policy } }) => (
      <div className={s.approval}>
        <StatusDot tone={approvalTones[state]}>{toolApprovalNames[state]}</StatusDot>
        {policy !== null && (
          <p className="dim truncate">
            <Link href={`/policies/${policy.id}`}>{policy.name}</Link>
          </p>
        )}
      </div>
    ),
  },
  {
    key: 'changed',
    header: 'Last change',
    sort: 'changed',
    firstDirection: 'desc',
    width: 136,
    cell: ({ lastChange }) => <LastChange change={lastChange} />,
  },
  {
    key: 'date',
    header: 'Seen',
    sort: 'date',
    firstDirection: 'desc',
    width: 160,
    place: 'metaEnd',
    cell: ({ firstSeen, lastSeen, removedAt }) => (
      <span className={s.lines}>
        <span>
          {removedAt !== null && 'Removed '}
          <TimeAgo at={removedAt ?? lastSeen} />
        </span>
        <span className={s.meta}>
          First <TimeAgo at={firstSeen} />
        </span>
      </span>
    ),
  },
  ...(onAsk
    ? [
        {
          key: 'menu',
          header: 'Actions',
          width: 48,
          place: 'menu' as const,
          cell: ({ tool, server }: ConfigurationItem) => (
            <ToolMenu tool={{ ...tool, version: server?.version ?? null }} onAsk={onAsk} />
          ),
        },
      ]
    : []),
];

function Item({ item }: { item: ConfigurationItem }) {
  const { tool, server, problem, state, path } = item;
  return (
    <RowTitle glyph={<ToolIcon icon={tool.icon} id={tool.id} />} meta={<Place item={item} />}>
      <RowName>{server?.name ?? path ?? tool.name}</RowName>
      {state === 'removed' && <Tag>Removed</Tag>}
      {problem !== null && <StatusDot tone="yellow">{problemTexts[problem]}</StatusDot>}
    </RowTitle>
  );
}

/** Where it is. A file has its path as name. */
function Place({ item }: { item: ConfigurationItem }) {
  const { repository, path, line, url, person, source, server, program, agent } = item;
  if (source === 'editor') {
    const where = program === agent ? `${configuredAgentNames[agent]} settings` : 'Editor';
    return (
      <span className="truncate">
        {where} of {person?.name ?? 'another person'}
      </span>
    );
  }
  const place = server === null ? 'Open' : line === null ? path : `${path}:${line}`;
  return (
    <span className={s.located}>
      <span className="truncate" title={repository?.fullName}>
        {repository?.fullName}
      </span>
      {url === null ? server !== null && place : <ExternalLink href={url}>{place}</ExternalLink>}
    </span>
  );
}

function Server({ server }: { server: NonNullable<ConfigurationItem['server']> }) {
  const { transport, command, source, version, environment, headers } = server;
  const given = [
    ...(environment.length > 0 ? [`Variables: ${environment.join(', ')}`] : []),
    ...(headers.length > 0 ? [`Headers: ${headers.join(', ')}`] : []),
  ].join('. ');
  const runs = `${source}${version === null ? '' : `@${version}`}`;
  return (
    <span className={s.lines}>
      <code className="truncate" title={runs}>
        {runs}
      </code>
      <span className={s.meta} title={given}>
        {mcpTransportNames[transport]}
        {command !== null && ` with ${command}`}
        {given !== '' && `. ${given}`}
      </span>
    </span>
  );
}

const LastChange = ({ change }: { change: ConfigurationItem['lastChange'] }) =>
  change === null ? (
    <span className="dim">Unknown</span>
  ) : (
    <span className={s.lines}>
      <span className="truncate">{change.author ?? <span className="dim">Unknown author</span>}</span>
      <span className={s.meta}>
        <TimeAgo at={change.at} />
      </span>
    </span>
  );
