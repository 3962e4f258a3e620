import { useParams, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useOnboarding } from '#lib/onboarding.ts';
import { legal } from '#lib/site.ts';
import { store } from '#lib/storage.ts';
import { Focus } from '#ui/Focus.tsx';
import { Progress } from '#ui/Progress.tsx';
import { AddRepositories } from './AddRepositories.tsx';
import { ConnectIdentity } from './ConnectIdentity.tsx';
import { ConnectVersionControl } from './ConnectVersionControl.tsx';
import { CreateOrganization } from './CreateOrganization.tsx';
import { InstallEditor } from './InstallEditor.tsx';
import s from './Setup.module.css';
import { contributorStepFor, contributorSteps, isContributorSetup, ownerStepFor, ownerSteps } from './steps.ts';

/** spec 2.4: /onboarding/setup/{step}, for whoever sets up an organization or their own profile in one. */
export function SetupPage() {
  const router = useRouter();
  const params: { step?: string } = useParams({ strict: false });
  const { status, facts } = useOnboarding({ watch: true });
  const ofProfile = isContributorSetup(facts);
  const place = ofProfile ? contributorStepFor(status, facts, params.step) : ownerStepFor(status, facts);
  const elsewhere = place !== undefined && String(place) !== params.step;
  const isUnderWay = place !== undefined && place !== 'home';
  useEffect(() => {
    if (isUnderWay) store('onboardingStarted', 'true');
  }, [isUnderWay]);
  useEffect(() => {
    if (!elsewhere) return;
    void router.navigate({ href: place === 'home' ? '/' : `/onboarding/setup/${place}`, replace: true });
  }, [elsewhere, place, router]);

  const steps = ofProfile ? contributorSteps : ownerSteps;
  const asked = elsewhere ? undefined : steps.find((step) => String(step) === params.step);
  return (
    <Focus legal={legal}>
      {asked && (
        <div className={s.progress}>
          <Progress label="Onboarding" done={asked} total={steps.length} steps />
        </div>
      )}
      {place !== undefined && asked && (ofProfile ? profile : organization)[asked]}
    </Focus>
  );
}

const organization: Record<number, ReactNode> = {
  1: <CreateOrganization />,
  2: <ConnectVersionControl />,
  3: <AddRepositories />,
};
const profile: Record<number, ReactNode> = { 1: <ConnectIdentity />, 2: <InstallEditor /> };
