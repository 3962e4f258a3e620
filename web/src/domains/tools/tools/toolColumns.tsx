import { type Tool, toolKindNames, toolSourceNames } from '@sightline/contract/tools/tools.ts';
import { Freshness } from '#ui/Freshness.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { Tag } from '#ui/Tag.tsx';
import type { Column } from '../../../ui/column.ts';
import { ApprovalCell } from './ApprovalCell.tsx';
import type { ToolDecisionRequest } from './DecideToolDialog.tsx';
import { ProjectsCell, ToolPeopleCell } from './Holders.tsx';
import { ToolIcon } from './ToolIcon.tsx';
import { ToolMenu } from './ToolMenu.tsx';
import s from './Tools.module.css';

/** Omits the repository in the list of one repository. `onAsk` is undefined if the user cannot decide about tools. */
export const toolColumns = (
  repositoryId: string | undefined,
  onAsk: ((request: ToolDecisionRequest) => void) | undefined,
): Column<Tool>[] => [
  {
    key: 'name',
    header: 'Tool',
    sort: 'name',
    place: 'main',
    cell: ({ id, icon, name, vendor, inUse }) => (
      <RowTitle
        glyph={<ToolIcon icon={icon} id={id} />}
        meta={<span className="truncate">{vendor ?? <UnknownTool id={id} />}</span>}
      >
        <RowName>{name}</RowName>
        {inUse === false && <Tag>No longer in use</Tag>}
      </RowTitle>
    ),
  },
  { key: 'type', header: 'Type', width: 112, cell: ({ kind }) => toolKindNames[kind] },
  {
    key: 'approval',
    header: 'Approval',
    width: 144,
    place: 'meta',
    cell: ({ approval }) => <ApprovalCell approval={approval} />,
  },
  {
    key: 'categories',
    header: 'Categories',
    width: 92,
    cell: ({ categories }) => <Words values={categories} />,
  },
  {
    key: 'source',
    header: 'Source',
    width: 104,
    cell: ({ sources, recorded }) =>
      recorded ? (
        <span className="dim">Not recorded</span>
      ) : (
        <Words values={sources.map((source) => toolSourceNames[source])} />
      ),
  },
  {
    key: 'detected',
    header: 'Detected',
    sort: 'date',
    firstDirection: 'desc',
    width: 160,
    place: 'metaEnd',
    cell: ({ lastSeen }) => <Freshness at={lastSeen} />,
  },
  {
    key: 'people',
    header: 'People',
    width: 128,
    place: 'side',
    cell: (tool) => <ToolPeopleCell tool={tool} repositoryId={repositoryId} />,
  },
  ...(repositoryId === undefined
    ? [{ key: 'projects', header: 'Projects', width: 96, cell: (tool: Tool) => <ProjectsCell tool={tool} /> }]
    : []),
  ...(onAsk
    ? [
        {
          key: 'menu',
          header: 'Actions',
          width: 48,
          place: 'menu' as const,
          cell: (tool: Tool) => <ToolMenu tool={tool} onAsk={onAsk} />,
        },
      ]
    : []),
];

/** The ID of a tool outside the catalog, because its origin is the most informative part. */
const UnknownTool = ({ id }: { id: string }) => (
  <code className={s.id} title={id}>
    {id.slice(id.indexOf(':') + 1)}
  </code>
);

const Words = ({ values }: { values: readonly string[] }) =>
  values.length === 0 ? (
    <span className="dim">None</span>
  ) : (
    <p className="truncate" title={values.join(', ')}>
      {values.join(', ')}
    </p>
  );
