import type { Attribution, Change } from '@sightline/contract/compliance/changes.ts';
import { attributionTexts } from '#ui/attributionTexts.ts';
import s from './Changes.module.css';
import { changePersonName } from './changeColumns.tsx';

/** Shows lines attributed to agents: by agent with its share, and by file if line numbers are known. */
export function AgentAttribution({ change: { parts, attribution } }: { change: Change }) {
  const owners = parts.sessionOwners.value ?? [];
  const { agents, share } = attribution;
  if (agents.length === 0) {
    return (
      <>
        <p className="dim">No agent contribution recorded.</p>
        <AttributionProblems attribution={attribution} />
      </>
    );
  }
  return (
    <>
      <ul className={s.list}>
        {agents.map((entry) => (
          <li key={JSON.stringify(entry)}>
            {entry.agent}
            {entry.model !== null && ` (${entry.model})`}
            {', '}
            {howMuch(entry)}
            <span className={s.note}>
              {entry.confidence} {attributionTexts[entry.source]}
              {entry.carried && ', carried over from a rewritten commit'}
            </span>
          </li>
        ))}
      </ul>
      {share && (
        <p>
          {number.format(share.lines)} of {number.format(share.of)} added lines ({percent(share.lines, share.of)}) are
          attributed to agents.
        </p>
      )}
      {owners.length > 0 && <p>Sessions started by {owners.map(changePersonName).join(', ')}</p>}
      <Files attribution={attribution} />
      <AttributionProblems attribution={attribution} />
    </>
  );
}

function howMuch({ commits, files, lines }: Attribution['agents'][number]): string {
  if (lines === 0) return count(commits, 'commit');
  return `${count(lines, 'line')} in ${count(files, 'file')}`;
}

function Files({ attribution: { files, fileCount } }: { attribution: Attribution }) {
  if (files.length === 0) return null;
  return (
    <details className={s.files}>
      <summary>By file</summary>
      <ul>
        {files.map(({ path, lines, ranges }) => (
          <li key={path}>
            <code>{path}</code>
            <span className={s.note}>
              {count(lines, 'line')}: {ranges.map(({ from, to }) => (from === to ? from : `${from}–${to}`)).join(', ')}
              {`, ${[...new Set(ranges.map(({ agent }) => agent))].join(', ')}`}
            </span>
          </li>
        ))}
      </ul>
      <p className={s.note}>
        Line numbers refer to the commits that added them.
        {fileCount > files.length && ` ${number.format(fileCount - files.length)} more files are not shown.`}
      </p>
    </details>
  );
}

/** Reports attribution data that could not be read. */
const AttributionProblems = ({ attribution: { sources } }: { attribution: Attribution }) =>
  sources.map(({ source, malformed, unmatched, dropped, foreign }) => {
    const left = [
      malformed > 0 && `${count(malformed, 'entry', 'entries')} could not be read`,
      unmatched > 0 && `${count(unmatched, 'record')} ${unmatched === 1 ? 'names' : 'name'} no commit`,
      dropped > 0 && `${count(dropped, 'entry', 'entries')} ${dropped === 1 ? 'was' : 'were'} over the limit`,
      foreign > 0 && `${count(foreign, 'line')} ${foreign === 1 ? 'is' : 'are'} not in the named commit`,
    ].filter(Boolean);
    return (
      left.length > 0 && (
        <p key={source} className={s.gap}>
          Of {source === 'git-ai' ? 'the notes of git-ai' : 'the Agent Trace records'}, {left.join(', ')}.
        </p>
      )
    );
  });

const number = new Intl.NumberFormat('en-GB');
const count = (many: number, one: string, more = `${one}s`) => `${number.format(many)} ${many === 1 ? one : more}`;
const percent = (part: number, total: number) => (total === 0 ? '0 %' : `${Math.round((100 * part) / total)} %`);
