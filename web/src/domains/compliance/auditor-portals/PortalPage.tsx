import { Button } from '@mantine/core';
import { getPortal, type Portal, revokePortal } from '@sightline/contract/compliance/auditor-portals.ts';
import { downloadPortalArchive } from '@sightline/contract/compliance/portal-archives.ts';
import { exportPortalPeople } from '@sightline/contract/compliance/portal-changes.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call, endpointQuery, keyOf } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Banner } from '#ui/Banner.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { Facts } from '#ui/Facts.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Link } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { redactionNote } from '#ui/redactionText.ts';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { toast } from '#ui/toast.ts';
import { DownloadButton } from './DownloadButton.tsx';
import { PortalAssertions } from './PortalAssertions.tsx';
import { PortalRequests } from './PortalRequests.tsx';
import { PortalResults } from './PortalResults.tsx';
import { PortalSamples } from './PortalSamples.tsx';
import s from './Portals.module.css';
import { portalStateBadges, portalsPath, utcTimeText } from './portalLabels.ts';

const back = { label: 'Auditor portals', href: portalsPath };

/** Shows one auditor portal: its contents, its usage, and the evidence requests. */
export function PortalPage() {
  const { portalId } = useParams({ strict: false }) as { portalId: string };
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getPortal, { params: { portalId } }),
    meta: { quiet: true },
  });
  if (data) return <Loaded portal={data} />;
  return (
    <>
      <PageHeader title="Auditor portal" back={back} />
      {error ? (
        <Panel>
          <Failure title="The portal could not be loaded" error={error} onRetry={() => void refetch()} />
        </Panel>
      ) : (
        <p className="dim" role="status" aria-busy>
          Loading
        </p>
      )}
    </>
  );
}

function Loaded({ portal }: { portal: Portal }) {
  const canManage = hasPermission(useSession(), 'create:evidence');
  const [tone, words] = portalStateBadges[portal.state];
  return (
    <>
      <PageHeader
        title={portal.name}
        back={back}
        after={<StatusBadge tone={tone}>{words}</StatusBadge>}
        help={{ href: docsHref('auditor-portals'), about: 'auditor portals' }}
        note={`For ${portal.auditor.name}${redactionNote(portal.redaction)}`}
        actions={
          <>
            <DownloadButton
              endpoint={downloadPortalArchive}
              input={{ params: { portalId: portal.id } }}
              label="Download archive"
              failure="The archive was not downloaded. Try again."
            />
            {canManage && portal.state === 'open' && <Revoke portal={portal} />}
          </>
        }
      />
      <div className={s.page}>
        {portal.mailFailed && (
          <Banner tone="error">
            The link could not be emailed to {portal.auditor.email}. Sightline tries again. You can also send the copied
            link yourself.
          </Banner>
        )}
        <Panel
          title="Portal"
          aside={
            <DownloadButton
              endpoint={exportPortalPeople}
              input={{ params: { portalId: portal.id } }}
              label="Export key of pseudonyms"
              failure="The key was not exported. Try again."
            />
          }
        >
          <Facts side items={factsOf(portal)} />
        </Panel>
        <PortalAssertions portal={portal} />
        <PortalRequests portal={portal} canManage={canManage} />
        <PortalSamples portalId={portal.id} />
        <PortalResults portalId={portal.id} />
        <p className="dim">
          Each view, sample and download is recorded in the tamper-evident ledger under the name of this portal. See the{' '}
          <Link className="link" href={`/audit?search=${encodeURIComponent(portal.name)}`}>
            audit log
          </Link>
          .
        </p>
      </div>
    </>
  );
}

function Revoke({ portal }: { portal: Portal }) {
  const [isConfirming, setConfirming] = useState(false);
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call(revokePortal, { params: { portalId: portal.id } }),
    meta: { quiet: true },
    onSuccess: (now) => {
      queryClient.setQueryData(keyOf(getPortal, { params: { portalId: portal.id } }), now);
      setConfirming(false);
      toast.success('Access revoked.');
    },
    onError: (error) => toast.error(errorMessageOf(error, 'Access was not revoked. Try again.')),
  });
  return (
    <>
      <Button variant="default" onClick={() => setConfirming(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={`Revoke ${portal.name}?`}
        confirm="Revoke"
        danger
        pending={revoke.isPending}
        onConfirm={() => revoke.mutate()}
      >
        <p>
          {portal.auditor.name} loses access immediately and the link stops working. This cannot be undone. Downloaded
          evidence packages are not affected.
        </p>
      </ConfirmDialog>
    </>
  );
}

const factsOf = (portal: Portal) =>
  [
    [
      'Snapshots',
      portal.snapshots.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link className="link" href={`/evidence/snapshots/${id}`}>
            {name}
          </Link>
        </span>
      )),
    ],
    ...(portal.earlier === null
      ? []
      : ([
          [
            'Continues',
            <Link key="earlier" className="link" href={`${portalsPath}/${portal.earlier.id}`}>
              {portal.earlier.name}
            </Link>,
          ],
        ] as const)),
    ['Created', `${utcTimeText(portal.createdAt)}, by ${portal.createdBy.name}`],
    [portal.revokedAt === null ? 'Expires' : 'Revoked', utcTimeText(portal.revokedAt ?? portal.expiresAt)],
    ['People', portal.people === 'names' ? 'Shown by name' : 'Shown by pseudonym'],
    ['Link', linkOf(portal)],
    [
      'Views',
      portal.lastViewAt === null
        ? 'No views'
        : `${portal.views.toLocaleString('en')}, the last on ${utcTimeText(portal.lastViewAt)}`,
    ],
  ] as const;

function linkOf({ auditor, mailedAt }: Portal): string {
  if (auditor.email === null) return 'Shown once to the creator of the portal';
  return mailedAt === null ? `Sending to ${auditor.email}` : `Emailed to ${auditor.email} on ${utcTimeText(mailedAt)}`;
}
