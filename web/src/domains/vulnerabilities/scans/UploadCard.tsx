import { CloseButton } from '@mantine/core';
import type { RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import { getScan, type Scan } from '@sightline/contract/vulnerabilities/scans.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { repositoryHref } from '#lib/repository-href.ts';
import { Banner } from '#ui/Banner.tsx';
import { Link } from '#ui/Link.tsx';
import { Progress } from '#ui/Progress.tsx';
import { SkippedResults } from './Rejected.tsx';
import { ScanCounts } from './ScanCounts.tsx';
import { ScanState } from './ScanState.tsx';
import s from './Scans.module.css';
import type { ScanUpload } from './useUploads.ts';

interface UploadCardProps {
  upload: ScanUpload;
  repository: RepositoryDetail;
  onRemove: () => void;
}

/** Shows the progress of a file, why it was rejected, or its changes. */
export const UploadCard = ({ upload, repository, onRemove }: UploadCardProps) => (
  <li className={s.upload}>
    <div className={s.uploadHead}>
      <b className="truncate">{upload.name}</b>
      <CloseButton
        size="sm"
        aria-label={isPending(upload) ? `Cancel ${upload.name}` : `Dismiss ${upload.name}`}
        onClick={onRemove}
      />
    </div>
    {isPending(upload) && <PendingUpload upload={upload} />}
    {upload.failure && (
      <Banner tone="error" details={detailsOf(upload.failure)}>
        {upload.failure.message}
      </Banner>
    )}
    {upload.state === 'done' && <Result scans={upload.scans} repository={repository} />}
  </li>
);

const isPending = ({ state }: ScanUpload) => state === 'waiting' || state === 'sending' || state === 'matching';

const PendingUpload = ({ upload: { state, sent, name } }: { upload: ScanUpload }) => {
  const percent = Math.round(sent * 100);
  if (state === 'waiting') return <p className={s.meta}>Queued</p>;
  return (
    <Progress
      label={`Uploading ${name}`}
      done={percent}
      total={100}
      words={state === 'matching' ? 'Uploaded. Processing' : `${percent} % sent`}
    />
  );
};

function detailsOf({ cause, details = [] }: NonNullable<ScanUpload['failure']>): string | undefined {
  // The message already contains the first detail.
  const more = details.slice(1).map(({ field, message }) => `${field} ${message}`);
  return [cause, ...more].filter(Boolean).join('\n') || undefined;
}

const Result = ({ scans, repository }: { scans: Scan[]; repository: RepositoryDetail }) =>
  scans.length === 0 ? (
    <p className={s.meta}>The file contains no scanner run. Nothing was imported.</p>
  ) : (
    <>
      {scans.map((scan) => (
        <OneScan key={scan.id} scan={scan} />
      ))}
      <Link className={s.link} href={repositoryHref(repository, 'vulnerabilities')}>
        View vulnerabilities
      </Link>
    </>
  );

/** Polls a scan that was still running when the upload finished. */
function OneScan({ scan: first }: { scan: Scan }) {
  const followed = useQuery({
    ...endpointQuery(getScan, { params: { scanId: first.id } }),
    initialData: first,
    enabled: first.state !== 'done' && first.state !== 'failed',
    refetchInterval: ({ state: { data } }) => (data?.state === 'done' || data?.state === 'failed' ? false : 3000),
    meta: { quiet: true },
  });
  const scan = followed.data;
  return (
    <div className={s.result}>
      <p className={s.meta}>
        {scan.tool.name}
        {scan.category && ` · ${scan.category}`} · <span className="mono">{shortRef(scan.ref)}</span>
      </p>
      {scan.counts ? <ScanCounts counts={scan.counts} /> : <ScanState scan={scan} />}
      <SkippedResults scan={scan} />
    </div>
  );
}

export const shortRef = (ref: string) => ref.replace(/^refs\/(heads|tags)\//, '');
