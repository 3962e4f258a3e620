import { useParams, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useOnboarding } from '#lib/onboarding.ts';
import { legal } from '#lib/site.ts';
import { setStored } from '#lib/storage.ts';
import { Focus } from '#ui/Focus.tsx';
import { Progress } from '#ui/Progress.tsx';
import { AddRepositories } from './AddRepositories.tsx';
import { ConnectIdentity } from './ConnectIdentity.tsx';
import { ConnectVersionControl } from './ConnectVersionControl.tsx';
import { CreateOrganization } from './CreateOrganization.tsx';
import { InstallEditor } from './InstallEditor.tsx';
import s from './Setup.module.css';
import { contributorStepFor, contributorSteps, isContributorSetup, ownerStepFor, ownerSteps } from './steps.ts';
import { TryDemo } from './TryDemo.tsx';

/** spec 2.4: /onboarding/setup/{step}, for the setup of an organization or of a contributor profile. */
export function SetupPage() {
  const router = useRouter();
  const params: { step?: string } = useParams({ strict: false });
  const { status, facts } = useOnboarding({ watch: true });
  const ofProfile = isContributorSetup(facts);
  const target = ofProfile ? contributorStepFor(status, facts, params.step) : ownerStepFor(status, facts);
  const elsewhere = target !== undefined && String(target) !== params.step;
  const isInSetup = target !== undefined && target !== 'home';
  useEffect(() => {
    if (isInSetup) setStored('onboardingStarted', 'true');
  }, [isInSetup]);
  useEffect(() => {
    if (!elsewhere) return;
    void router.navigate({ href: target === 'home' ? '/' : `/onboarding/setup/${target}`, replace: true });
  }, [elsewhere, target, router]);

  const steps = ofProfile ? contributorSteps : ownerSteps;
  const currentStep = elsewhere ? undefined : steps.find((step) => String(step) === params.step);
  return (
    <Focus legal={legal}>
      {currentStep && (
        <div className={s.progress}>
          <Progress label="Onboarding" done={currentStep} total={steps.length} steps />
        </div>
      )}
      {target !== undefined && currentStep && (ofProfile ? profile : organization)[currentStep]}
    </Focus>
  );
}

const organization: Record<number, ReactNode> = {
  1: (
    <>
      <CreateOrganization />
      <TryDemo />
    </>
  ),
  2: <ConnectVersionControl />,
  3: <AddRepositories />,
};
const profile: Record<number, ReactNode> = { 1: <ConnectIdentity />, 2: <InstallEditor /> };
