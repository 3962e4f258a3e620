import { readRepositories } from '@sightline/contract/core/permissions.ts';
import { useIsFetching, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { account } from '#lib/account.ts';
import { useFlag } from '#lib/flags.ts';
import { useOnboarding } from '#lib/onboarding.ts';
import { hasPermission, isOwner, useSession } from '#lib/session.ts';
import { PageHeader } from '#ui/PageHeader.tsx';
import s from './HomePage.module.css';
import { QuickTips } from './QuickTips.tsx';
import { ReleaseNotes } from './ReleaseNotes.tsx';
import { OrganizationSetup, ProfileSetup } from './Setup.tsx';

const AttentionPanel = lazy(async () => ({ default: (await import('./AttentionPanel.tsx')).AttentionPanel }));
const ActivityPanel = lazy(async () => ({ default: (await import('./ActivityPanel.tsx')).ActivityPanel }));
const TrendsPanel = lazy(async () => ({ default: (await import('./TrendsPanel.tsx')).TrendsPanel }));
const HealthPanel = lazy(async () => ({ default: (await import('./HealthPanel.tsx')).HealthPanel }));
const OwnPullRequests = lazy(async () => ({ default: (await import('./OwnPullRequests.tsx')).OwnPullRequests }));
const Imports = lazy(async () => ({ default: (await import('./RunningImports.tsx')).RunningImports }));
const OpenVulnerabilities = lazy(async () => ({
  default: (await import('./OpenVulnerabilities.tsx')).OpenVulnerabilities,
}));
const EvidenceStanding = lazy(async () => ({ default: (await import('./ControlStatusPanel.tsx')).ControlStatusPanel }));

/**
 * spec 2.5: remaining setup, then tips and release notes. Once the setup is done, work that waits for the member and recent
 * activity come first. Beside them, the state of controls, vulnerabilities and data sources.
 */
export function HomePage() {
  const { status, facts } = useOnboarding();
  const me = useQuery(account()).data;
  const session = useSession();
  const owner = isOwner(session);
  const vulnerabilities = useFlag('vulnerabilities');
  const showsFindings = vulnerabilities && hasPermission(session, 'read:vulnerabilities');
  const showsPullRequests = useFlag('release2') && readRepositories.some((one) => hasPermission(session, one));
  const { isSettled, onMounted } = useSettled();
  if (status === 'loading') return <Loading />;
  const isShown = status !== 'done' || isSettled;
  return (
    <>
      {isShown ? <PageHeader title="Home" /> : <Loading />}
      {/* Panels have different heights: they appear together, so that none moves another. */}
      <div className={s.columns} hidden={!isShown}>
        <div className={s.column}>
          {status !== 'done' && owner && <OrganizationSetup status={status} facts={facts} />}
          {status !== 'done' && facts.isContributor && <ProfileSetup facts={facts} />}
          <Suspense>
            <Imports />
          </Suspense>
          {status === 'done' && (
            <Suspense>
              <AttentionPanel />
              {showsPullRequests && <OwnPullRequests />}
              <ActivityPanel />
            </Suspense>
          )}
          {status === 'done' && (
            <Suspense>
              <TrendsPanel />
            </Suspense>
          )}
          {status === 'done' && me && !me.traits.hideTips && <QuickTips />}
          <ReleaseNotes />
        </div>
        <div className={s.beside}>
          {status === 'done' && hasPermission(session, 'read:evidence') && (
            <Suspense>
              <EvidenceStanding />
            </Suspense>
          )}
          {showsFindings && (
            <Suspense>
              <OpenVulnerabilities />
            </Suspense>
          )}
          {status === 'done' && (
            <Suspense>
              <HealthPanel />
              <Mounted onMounted={onMounted} />
            </Suspense>
          )}
        </div>
      </div>
    </>
  );
}

/** The longest time for which panels wait for one that is slow. */
const MAX_WAIT_MS = 2_000;
/** A request that follows another one begins within this time. */
const PAUSE_MS = 40;

/** Whether the requests of the panels have ended once, since `onMounted` was called. */
function useSettled() {
  const [isMounted, setMounted] = useState(false);
  const [isSettled, setSettled] = useState(false);
  const isQuiet = useIsFetching() === 0;
  useEffect(() => {
    if (!isMounted || isSettled) return undefined;
    const timer = setTimeout(() => setSettled(true), isQuiet ? PAUSE_MS : MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, [isMounted, isSettled, isQuiet]);
  return { isSettled, onMounted: setMounted };
}

/** Reports that it is mounted, after its siblings. */
function Mounted({ onMounted }: { onMounted: (mounted: boolean) => void }) {
  useEffect(() => onMounted(true), [onMounted]);
  return null;
}

const Loading = () => (
  <>
    <PageHeader title="Home" />
    <div className={s.column} aria-busy="true">
      <p className="vh" role="status">
        Loading
      </p>
      <span className={s.bone} data-tall />
      <span className={s.bone} />
    </div>
  </>
);
