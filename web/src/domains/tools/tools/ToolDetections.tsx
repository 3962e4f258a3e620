import { listToolDetections, type ToolDetection, toolSourceNames } from '@sightline/contract/tools/tools.ts';
import { IconFileCode } from '@tabler/icons-react';
import { usePagedList } from '#lib/paged-list.ts';
import { Empty } from '#ui/Empty.tsx';
import { ExternalLink } from '#ui/ExternalLink.tsx';
import { Filters } from '#ui/Filters.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { Tag } from '#ui/Tag.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { lastSeenColumn } from './seenColumns.tsx';
import s from './Tools.module.css';

/** Lists the lines that reference a tool, each with a link to the code host at that commit. */
export function ToolDetections({ id }: { id: string }) {
  const list = usePagedList(listToolDetections, { input: (query) => ({ params: { toolId: id }, query }) });
  return (
    <>
      {!list.isEmptyUnfiltered && (
        <Filters>
          <SearchBox
            label="Search in files and repositories"
            value={list.query.search}
            onChange={(search) => list.setQuery({ search })}
          />
        </Filters>
      )}
      <PagedTable
        list={list}
        label="References"
        noun="places"
        columns={columns}
        rowKey={({ id: key }) => key}
        tall
        empty={
          <Empty kind="nothing-yet" title="No references" icon={<IconFileCode size={19} stroke={1.6} />}>
            No file in an enabled repository references it.
          </Empty>
        }
        noMatch="No references match"
      />
    </>
  );
}

const columns: readonly Column<ToolDetection>[] = [
  { key: 'place', header: 'Location', place: 'main', cell: (detection) => <Place detection={detection} /> },
  {
    key: 'repository',
    header: 'Repository',
    sort: 'repository',
    width: 152,
    place: 'meta',
    cell: ({ repository, source }) => (
      <span className={s.lines}>
        <span className="truncate" title={repository.fullName}>
          {repository.fullName}
        </span>
        <span className={s.meta}>{toolSourceNames[source]}</span>
      </span>
    ),
  },
  {
    key: 'version',
    header: 'Version',
    width: 88,
    cell: ({ version }) =>
      version === null ? (
        <span className="dim">Unknown</span>
      ) : (
        <code className="truncate" title={version}>
          {version}
        </code>
      ),
  },
  { key: 'since', header: 'Since', width: 144, cell: (detection) => <Since detection={detection} /> },
  lastSeenColumn('Removed', 112),
];

function Place({ detection: { path, line, text, url, removedAt } }: { detection: ToolDetection }) {
  const location = line === null ? path : `${path}:${line}`;
  return (
    <span className={s.lines}>
      <span className={s.place}>
        <span className={s.path} title={location}>
          <bdi>{url === null ? location : <ExternalLink href={url}>{location}</ExternalLink>}</bdi>
        </span>
        {removedAt !== null && <Tag>Removed</Tag>}
      </span>
      <code className={s.code} title={text}>
        {text}
      </code>
    </span>
  );
}

/** When and by whom the line was added, with the confidence. */
const Since = ({ detection: { firstSeen, addedBy, confidence } }: { detection: ToolDetection }) => (
  <span className={s.lines}>
    <TimeAgo at={firstSeen} />
    <span
      className={s.meta}
      title={
        confidence === 'observed'
          ? 'The commit that added this line, from git blame'
          : 'The commit in which it was first detected. The author of the line is unknown'
      }
    >
      {addedBy === null ? 'author unknown' : `by ${addedBy}`}
      {confidence === 'inferred' && addedBy !== null && ', inferred'}
    </span>
  </span>
);
