import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { ExternalLink } from '#ui/ExternalLink.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../../ui/column.ts';
import { locationText } from '../location-text.ts';
import { ToolMark } from '../toolMarks.tsx';
import s from './Sources.module.css';

type FindingSource = FindingDetail['sources'][number];
type SourceInstance = FindingSource['instances'][number] & { source: FindingSource };

/** The affected branches: the state of the finding on each ref for each scanner, and the grouping criteria. */
export function AffectedBranches({ finding: { sources } }: { finding: FindingDetail }) {
  const instances = sources.flatMap((source) => source.instances.map((instance) => ({ ...instance, source })));
  const showsCriteria = sources.length > 1 || sources.some(({ reason }) => reason !== 'first');
  return (
    <Panel flush title="Affected branches">
      {showsCriteria && (
        <ul className={s.sources} aria-label="Grouping criteria">
          {sources.map((source) => (
            <li key={source.id}>
              <ToolMark tool={source.tool.id} size={16} />
              <p>
                <b>{source.tool.name}</b> <code>{source.ruleId}</code>
                <span className={s.reason}>{source.explanation}</span>
              </p>
            </li>
          ))}
        </ul>
      )}
      <DataTable
        label="Affected branches"
        columns={columns}
        rows={instances}
        rowKey={({ source, ref, filePath, line }) => `${source.id} ${ref} ${filePath} ${line}`}
        tall
        empty={<p className={s.none}>No scanner reports it, and its branches are deleted.</p>}
      />
    </Panel>
  );
}

const states = {
  open: ['red', 'Open'],
  suppressed: ['gray', 'Suppressed by the scanner'],
  fixed: ['green', 'Fixed'],
} as const;

const columns: readonly Column<SourceInstance>[] = [
  {
    key: 'ref',
    header: 'Ref',
    place: 'main',
    cell: ({ ref, filePath, line }) => (
      <div className={s.ref}>
        <code className={s.name}>{shortRef(ref)}</code>
        {filePath !== null && <code className={s.path}>{locationText({ filePath, line })}</code>}
      </div>
    ),
  },
  {
    key: 'tool',
    header: 'Tool',
    width: 148,
    cell: ({ tool, url }) =>
      url === null ? <p className="truncate">{tool.name}</p> : <ExternalLink href={url}>{tool.name}</ExternalLink>,
  },
  {
    key: 'state',
    header: 'State',
    width: 120,
    place: 'meta',
    cell: ({ state }) => <StatusDot tone={states[state][0]}>{states[state][1]}</StatusDot>,
  },
  {
    key: 'first',
    header: 'First seen',
    width: 120,
    cell: ({ firstSeen }) => (
      <span className="dim">
        <TimeAgo at={firstSeen} />
      </span>
    ),
  },
  {
    key: 'last',
    header: 'Last seen',
    width: 132,
    place: 'metaEnd',
    cell: ({ lastSeen, commit }) => (
      <span className="dim">
        <TimeAgo at={lastSeen} />
        {commit && <code className={s.commit}>{commit.slice(0, 7)}</code>}
      </span>
    ),
  },
];

/** Returns the short name of a branch. Tags and pull requests keep their prefix to distinguish them. */
export const shortRef = (ref: string): string => ref.replace(/^refs\/heads\//, '').replace(/^refs\//, '');
