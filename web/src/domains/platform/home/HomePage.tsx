import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { account } from '#lib/account.ts';
import { useOnboarding } from '#lib/onboarding.ts';
import { isOwner, useSession } from '#lib/session.ts';
import { PageHeader } from '#ui/PageHeader.tsx';
import { useLoaded } from '#ui/useLoaded.ts';
import { HelpStrip } from './HelpStrip.tsx';
import s from './HomePage.module.css';
import { loadPanels } from './loadPanels.ts';
import { OrganizationSetup, ProfileSetup } from './Setup.tsx';

/**
 * spec 2.5: remaining setup, then tips and release notes, whose texts are in Help. Once the setup is done, work that waits
 * for the member and recent activity come first. Beside them, the state of controls, vulnerabilities and data sources.
 */
export function HomePage() {
  const { status, facts } = useOnboarding();
  const me = useQuery(account()).data;
  const panels = useLoaded(loadPanels);
  const owner = isOwner(useSession());
  const [isSettled, setSettled] = useState(false);
  const onSettled = useCallback(() => setSettled(true), []);
  if (status === 'loading') return <Loading />;
  const isComplete = status === 'done';
  const isShown = !isComplete || isSettled;
  return (
    <>
      {isShown ? <PageHeader title="Home" /> : <Loading />}
      {/* Panels have different heights: they appear together, so that none moves another. */}
      <div className={s.columns} hidden={!isShown}>
        <div className={s.column}>
          {!isComplete && owner && <OrganizationSetup status={status} facts={facts} />}
          {!isComplete && facts.isContributor && <ProfileSetup facts={facts} />}
          {panels && <panels.MainPanels isComplete={isComplete} onSettled={onSettled} />}
        </div>
        <div className={s.beside}>{panels && <panels.SidePanels isComplete={isComplete} />}</div>
        <HelpStrip showsTips={isComplete && me !== undefined && !me.traits.hideTips} />
      </div>
    </>
  );
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
