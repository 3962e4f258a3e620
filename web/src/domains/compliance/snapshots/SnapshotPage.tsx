import { getSnapshot, type SnapshotDetails } from '@sightline/contract/compliance/snapshots.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ask } from '#lib/api.ts';
import { Banner } from '#ui/Banner.tsx';
import { BundleFiles } from '#ui/BundleFiles.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Facts } from '#ui/Facts.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Link } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Progress } from '#ui/Progress.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { periodName, sizeName } from '#ui/snapshotWords.ts';
import { absoluteTime } from '#ui/time.ts';
import { Difference } from './Difference.tsx';
import { Download } from './Download.tsx';
import { Results } from './Results.tsx';
import { SendTo } from './SendTo.tsx';
import s from './Snapshots.module.css';
import { isUnderWay, snapshotHref, snapshotsPath, stateLooks } from './words.ts';

const back = { label: 'Snapshots', href: snapshotsPath };

/** One snapshot: how its making goes on, what came of it, and its bundle. */
export function SnapshotPage() {
  const { snapshotId } = useParams({ strict: false }) as { snapshotId: string };
  const { data, error, refetch } = useQuery({
    ...ask(getSnapshot, { params: { snapshotId } }),
    meta: { quiet: true },
    // News tells of each step; this is for when the connection is not there.
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? 5000 : false),
  });
  if (data) return <Loaded snapshot={data} />;
  return (
    <>
      <PageHeader title="Snapshot" back={back} />
      {error ? (
        <Panel>
          <Failure title="The snapshot could not be loaded" error={error} onRetry={() => void refetch()} />
        </Panel>
      ) : (
        <p className="dim" role="status" aria-busy>
          Loading
        </p>
      )}
    </>
  );
}

function Loaded({ snapshot }: { snapshot: SnapshotDetails }) {
  const [tone, words] = stateLooks[snapshot.state];
  return (
    <>
      <PageHeader
        title={snapshot.name}
        back={back}
        after={<StatusBadge tone={tone}>{words}</StatusBadge>}
        note={noteOf(snapshot)}
        actions={
          snapshot.bundle && (
            <>
              <SendTo snapshot={snapshot} />
              <Download snapshot={snapshot} />
            </>
          )
        }
      />
      <div className={s.page}>
        {snapshot.state === 'failed' && (
          <Banner tone="error">{snapshot.problem} Nothing was lost: make another snapshot when that is settled.</Banner>
        )}
        {isUnderWay(snapshot) && <Making snapshot={snapshot} />}
        <Panel title="Frozen">
          <Facts side items={factsOf(snapshot)} />
        </Panel>
        {snapshot.results.length > 0 && <Results results={snapshot.results} />}
        {snapshot.state === 'ready' && <Difference snapshot={snapshot} />}
        {snapshot.key !== null && snapshot.bundle && <Verifying vkey={snapshot.key} />}
        {snapshot.files.length > 0 && <BundleFiles files={snapshot.files} />}
      </div>
    </>
  );
}

const noteOf = ({ period, redaction, supersedes, repositories }: SnapshotDetails) => (
  <span>
    {periodName(period)}
    {repositories !== null && `, ${repositories.length} ${repositories.length === 1 ? 'repository' : 'repositories'}`}
    {redaction === 'people' && ', people withheld'}
    {supersedes && (
      <>
        , in place of <Link href={snapshotHref(supersedes)}>{supersedes.name}</Link>
      </>
    )}
  </span>
);

const dayBefore = (at: string): string => new Date(Date.parse(at) - 1).toISOString().slice(0, 10);

const steps = {
  waiting: 'It waits for its turn.',
  freezing: 'The ledger is counted and signed.',
  judging: 'Controls are judged.',
  building: 'The bundle is built.',
} as const;

const Making = ({ snapshot: { state, done, controls } }: { snapshot: SnapshotDetails }) => (
  <Panel title="Being made">
    <p role="status">{state === 'ready' || state === 'failed' ? '' : steps[state]}</p>
    <Progress
      label="Controls judged"
      done={done}
      total={controls.length}
      words={`${done} of ${controls.length} controls`}
    />
    <p className="dim">You may leave this page: it goes on without you.</p>
  </Panel>
);

const factsOf = ({
  period,
  ledger,
  frozenAt,
  bundle,
  createdBy,
  controls,
  files,
  redaction,
  repositoryNames,
}: SnapshotDetails) =>
  [
    ['Period', `${period.from.slice(0, 10)} to ${dayBefore(period.to)}, in UTC`],
    ['Repositories', repositoryNames === null ? 'All' : repositoryNames.join(', ')],
    ['Controls', controls.join(', ')],
    ['People', redaction === 'people' ? 'Withheld' : 'Titles and reasons that they gave are disclosed'],
    ['Asked for by', createdBy.name],
    ['Frozen at', frozenAt === null ? 'Not yet' : absoluteTime(Date.parse(frozenAt))],
    [
      'Ledger',
      ledger === null
        ? 'Not yet'
        : `${ledger.judged.toLocaleString('en')} entries were judged; with what came of it, ${ledger.size.toLocaleString('en')}`,
    ],
    ...(bundle
      ? ([
          ['Bundle', `${bundle.name}, ${sizeName(bundle.bytes)}`],
          ['SHA-256', <code key="hash">{bundle.sha256}</code>],
          [
            'Report',
            files.some(({ path }) => path === 'report.pdf')
              ? 'A PDF for people is in the bundle; the rows are the evidence'
              : 'No PDF: this server has nothing to draw one with, and the manifest says so',
          ],
        ] as const)
      : []),
  ] as const;

const Verifying = ({ vkey }: { vkey: string }) => (
  <Panel title="Verify it" aside={<CopyButton compact value={vkey} label="Copy the key" />}>
    <p>
      Anybody can verify the bundle without this server:{' '}
      <a href="/verify.html" target="_blank" rel="noreferrer">
        in this browser
      </a>
      , or with <code>sightline verify</code>. Give auditors the key by another way than the bundle:
    </p>
    <code className={s.key}>{vkey}</code>
    <p className="dim">
      The ledger is tamper-evident, not immutable. A valid bundle shows what Sightline received and how it was judged;
      it does not prove that what it was told is true. As long as nobody outside keeps a checkpoint, only the operator
      vouches for the ledger: see <Link href="/ledger">Ledger</Link>.
    </p>
  </Panel>
);
