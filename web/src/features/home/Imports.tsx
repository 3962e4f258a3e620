import { listRepositories, type RepositoryImport, type RepositoryListItem } from '@sightline/contract/repositories.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#lib/api.ts';
import { useFlag } from '#lib/flags.ts';
import { Panel } from '#ui/Panel.tsx';
import { Progress } from '#ui/Progress.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './HomePage.module.css';

/** How far the histories of newly added repositories have been read in; nothing once all are. News keeps it moving. */
export function Imports() {
  // The largest page: more imports than that never run at a time.
  const { data } = useQuery({
    ...ask(listRepositories, { query: { perPage: 100 } }),
    enabled: useFlag('release2'),
    meta: { quiet: true },
  });
  const running = data?.rows.filter((row) => row.import !== null && row.import.state !== 'done') ?? [];
  if (running.length === 0) return null;
  return (
    <Panel flush title="Reading in your repositories">
      <ul>{running.map((row) => row.import && <Import key={row.id} repository={row} progress={row.import} />)}</ul>
    </Panel>
  );
}

const Import = ({ repository, progress }: { repository: RepositoryListItem; progress: RepositoryImport }) => (
  <li className={s.import}>
    <div className={s.name}>
      <ProviderIcon provider={repository.provider} size={14} />
      <b className="truncate">{repository.fullName}</b>
      <State {...progress} />
    </div>
    <Bar label={`Commits of ${repository.fullName}`} noun="commits" {...progress.commits} />
    <Bar label={`Pull requests of ${repository.fullName}`} noun="pull requests" {...progress.pullRequests} />
    <Bar label={`Files of ${repository.fullName}`} noun="commits with their files" {...progress.files} />
    {progress.error && <p className={s.trouble}>{progress.error}</p>}
  </li>
);

function State({ state, waitingUntil }: RepositoryImport) {
  if (state === 'waiting' && waitingUntil) {
    return (
      <span>
        The code host asks us to wait; going on <TimeAgo at={waitingUntil} />
      </span>
    );
  }
  return <span>{stateWords[state]}</span>;
}

const stateWords: Record<RepositoryImport['state'], string> = {
  queued: 'Waiting for its turn',
  running: 'Reading',
  waiting: 'Waiting for the code host',
  done: 'Done',
  failed: 'Stopped by an error',
};

interface BarProps {
  label: string;
  noun: string;
  done: number;
  total: number | null;
}

/** A bar once the total is known, the count alone until then; nothing for what has not begun. */
function Bar({ label, noun, done, total }: BarProps) {
  if (total === null) return done === 0 ? null : <p className="dim num">{`${count.format(done)} ${noun}`}</p>;
  if (total === 0) return null;
  return (
    <Progress
      label={label}
      done={done}
      total={total}
      words={`${count.format(done)} of ${count.format(total)} ${noun}`}
    />
  );
}

const count = new Intl.NumberFormat('en-GB');
