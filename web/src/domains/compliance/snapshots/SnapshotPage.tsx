import { getSnapshot, type SnapshotDetails } from '@sightline/contract/compliance/snapshots.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { endpointQuery } from '#lib/api.ts';
import { Banner } from '#ui/Banner.tsx';
import { BundleFiles } from '#ui/BundleFiles.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Facts } from '#ui/Facts.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Link } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { Progress } from '#ui/Progress.tsx';
import { redactionLabels, redactionNote } from '#ui/redactionText.ts';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { formatFileSize, snapshotPeriodName } from '#ui/snapshotText.ts';
import { absoluteTime } from '#ui/time.ts';
import { DisclosureKeyPanel } from './DisclosureKeyPanel.tsx';
import { DownloadBundleButton } from './DownloadBundleButton.tsx';
import { SendSnapshotMenu } from './SendSnapshotMenu.tsx';
import { SnapshotComparison } from './SnapshotComparison.tsx';
import { SnapshotResults } from './SnapshotResults.tsx';
import s from './Snapshots.module.css';
import { isSnapshotInProgress, snapshotHref, snapshotStateBadges, snapshotsPath } from './snapshotLabels.ts';

const back = { label: 'Snapshots', href: snapshotsPath };

/** Shows one snapshot: progress, results, and bundle. */
export function SnapshotPage() {
  const { snapshotId } = useParams({ strict: false }) as { snapshotId: string };
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getSnapshot, { params: { snapshotId } }),
    meta: { quiet: true },
    // Change notices report each step. Polling covers a lost connection.
    refetchInterval: ({ state }) => (state.data && isSnapshotInProgress(state.data) ? 5000 : false),
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
  const [tone, words] = snapshotStateBadges[snapshot.state];
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
              <SendSnapshotMenu snapshot={snapshot} />
              <DownloadBundleButton snapshot={snapshot} />
            </>
          )
        }
      />
      <div className={s.page}>
        {snapshot.state === 'failed' && (
          <Banner tone="error">
            {snapshot.problem} No data was lost. Create another snapshot after the problem is resolved.
          </Banner>
        )}
        {isSnapshotInProgress(snapshot) && <SnapshotProgress snapshot={snapshot} />}
        <Panel title="Created">
          <Facts side items={factsOf(snapshot)} />
        </Panel>
        {snapshot.results.length > 0 && <SnapshotResults results={snapshot.results} />}
        {snapshot.state === 'ready' && <SnapshotComparison snapshot={snapshot} />}
        {snapshot.key !== null && snapshot.bundle && <Verifying vkey={snapshot.key} />}
        {snapshot.state === 'ready' && <DisclosureKeyPanel snapshot={snapshot} />}
        {snapshot.files.length > 0 && <BundleFiles files={snapshot.files} />}
      </div>
    </>
  );
}

const noteOf = ({ period, redaction, supersedes, repositories }: SnapshotDetails) => (
  <span>
    {snapshotPeriodName(period)}
    {repositories !== null && `, ${repositories.length} ${repositories.length === 1 ? 'repository' : 'repositories'}`}
    {redactionNote(redaction)}
    {supersedes && (
      <>
        , supersedes <Link href={snapshotHref(supersedes)}>{supersedes.name}</Link>
      </>
    )}
  </span>
);

const dayBefore = (at: string): string => new Date(Date.parse(at) - 1).toISOString().slice(0, 10);

const steps = {
  queued: 'Queued.',
  capturing: 'Counting and signing ledger entries.',
  evaluating: 'Evaluating controls.',
  building: 'Building the bundle.',
} as const;

const SnapshotProgress = ({ snapshot: { state, done, controls } }: { snapshot: SnapshotDetails }) => (
  <Panel title="In progress">
    <p role="status">{state === 'ready' || state === 'failed' ? '' : steps[state]}</p>
    <Progress
      label="Controls evaluated"
      done={done}
      total={controls.length}
      words={`${done} of ${controls.length} controls`}
    />
    <p className="dim">You can leave this page. The snapshot continues in the background.</p>
  </Panel>
);

const factsOf = ({
  period,
  ledger,
  takenAt,
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
    ['Redacted', redactionLabels[redaction]],
    ['Requested by', <PersonName key="by" person={createdBy} />],
    ['Created', takenAt === null ? 'Not yet' : absoluteTime(Date.parse(takenAt))],
    [
      'Ledger',
      ledger === null
        ? 'Not yet'
        : `${ledger.evaluated.toLocaleString('en')} entries were evaluated; ${ledger.size.toLocaleString('en')} including the results`,
    ],
    ...(bundle
      ? ([
          ['Bundle', `${bundle.name}, ${formatFileSize(bundle.bytes)}`],
          ['SHA-256', <code key="hash">{bundle.sha256}</code>],
          [
            'Report',
            files.some(({ path }) => path === 'report.pdf')
              ? 'The bundle includes a PDF. The items are the evidence'
              : redaction === 'all'
                ? 'No PDF, because it would name repositories'
                : 'No PDF: this server could not create one. The manifest states this',
          ],
        ] as const)
      : []),
  ] as const;

const Verifying = ({ vkey }: { vkey: string }) => (
  <Panel title="Verify it" aside={<CopyButton compact value={vkey} label="Copy the key" />}>
    <p>
      Verify the bundle without this server:{' '}
      <a href="/verify.html" target="_blank" rel="noreferrer">
        in this browser
      </a>
      , or with <code>sightline verify</code>. Give auditors the key through another channel than the bundle:
    </p>
    <code className={s.key}>{vkey}</code>
    <p>
      Auditors{' '}
      <a href="/reconcile.html" target="_blank" rel="noreferrer">
        compare the bundle
      </a>{' '}
      with your code host and a clone with their own access, or with <code>sightline reconcile</code>.
    </p>
    <p className="dim">
      The ledger is tamper-evident, not immutable. A valid bundle proves what Sightline received and how it was
      evaluated. It does not prove that the received data is true. Without an external anchor, the integrity of the
      ledger depends on the operator. See <Link href="/ledger">Ledger</Link>.
    </p>
  </Panel>
);
