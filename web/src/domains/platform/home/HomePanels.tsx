import { readRepositories } from '@sightline/contract/core/permissions.ts';
import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useFlag } from '#lib/flags.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Staged } from '#ui/Staged.tsx';
import { useLoaded } from '#ui/useLoaded.ts';
import { useNearWindow } from '#ui/useNearWindow.ts';
import { ActivityPanel } from './ActivityPanel.tsx';
import { AttentionPanel } from './AttentionPanel.tsx';
import { ControlStatusPanel } from './ControlStatusPanel.tsx';
import { HealthPanel } from './HealthPanel.tsx';
import s from './HomePage.module.css';
import { OpenVulnerabilities } from './OpenVulnerabilities.tsx';
import { OwnPullRequests } from './OwnPullRequests.tsx';
import { RunningImports } from './RunningImports.tsx';

const loadTrends = () => import('./TrendsPanel.tsx');

interface HomePanelsProps {
  /** Whether the setup is complete; before, only imports and vulnerabilities are shown. */
  isComplete: boolean;
}

/**
 * The panels of the wide column, in a module of their own: all of them are one request. `onSettled` is called once the
 * requests of all panels have ended.
 */
export function MainPanels({ isComplete, onSettled }: HomePanelsProps & { onSettled: () => void }) {
  const session = useSession();
  const showsPullRequests = useFlag('release2') && readRepositories.some((one) => hasPermission(session, one));
  return (
    <Staged>
      <RunningImports />
      {isComplete && <AttentionPanel />}
      {isComplete && showsPullRequests && <OwnPullRequests />}
      {isComplete && <ActivityPanel />}
      {isComplete && <NearTrends />}
      <Settlement onSettled={onSettled} />
    </Staged>
  );
}

/** The panels of the narrow column, which are at most as many as those of the wide one. */
export function SidePanels({ isComplete }: HomePanelsProps) {
  const session = useSession();
  const showsFindings = useFlag('vulnerabilities') && hasPermission(session, 'read:vulnerabilities');
  return (
    <Staged>
      {isComplete && hasPermission(session, 'read:evidence') && <ControlStatusPanel />}
      {showsFindings && <OpenVulnerabilities />}
      {isComplete && <HealthPanel />}
    </Staged>
  );
}

/** Charts are loaded when they come near the window, since drawing them would delay what is above. */
function NearTrends() {
  const { ref, isNear } = useNearWindow<HTMLDivElement>();
  const trends = useLoaded(isNear ? loadTrends : undefined);
  return (
    <div ref={ref} className={s.trends} data-loaded={trends && true}>
      {trends && <trends.TrendsPanel />}
    </div>
  );
}

/** The longest time for which panels wait for one that is slow. */
const MAX_WAIT_MS = 2_000;
/** A request that follows another one begins within this time. */
const PAUSE_MS = 40;

/** Follows the requests of its siblings, which are mounted before it, without rendering them again. */
function Settlement({ onSettled }: { onSettled: () => void }) {
  const [isSettled, setSettled] = useState(false);
  const isQuiet = useIsFetching() === 0;
  useEffect(() => {
    if (isSettled) return undefined;
    const timer = setTimeout(
      () => {
        setSettled(true);
        onSettled();
      },
      isQuiet ? PAUSE_MS : MAX_WAIT_MS,
    );
    return () => clearTimeout(timer);
  }, [isSettled, isQuiet, onSettled]);
  return null;
}
