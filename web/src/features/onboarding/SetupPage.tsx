import { useParams, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useOnboarding } from '#lib/onboarding.ts';
import { legal } from '#lib/site.ts';
import { store } from '#lib/storage.ts';
import { Focus } from '#ui/Focus.tsx';
import { Progress } from '#ui/Progress.tsx';
import { AddRepositories } from './AddRepositories.tsx';
import { ConnectVersionControl } from './ConnectVersionControl.tsx';
import { CreateOrganization } from './CreateOrganization.tsx';
import s from './Setup.module.css';
import { type Step, stepFor, steps } from './steps.ts';

/** spec 2.4: /onboarding/setup/{step} for whoever sets up an organization. */
export function SetupPage() {
  const router = useRouter();
  const params: { step?: string } = useParams({ strict: false });
  const { status, facts } = useOnboarding();
  const asked = steps.find((step) => String(step) === params.step);
  const place = stepFor(status, facts);
  const elsewhere = place !== undefined && place !== asked;
  useEffect(() => store('onboardingStarted', 'true'), []);
  useEffect(() => {
    if (!elsewhere) return;
    void router.navigate({ href: place === 'home' ? '/' : `/onboarding/setup/${place}`, replace: true });
  }, [elsewhere, place, router]);

  const step = elsewhere ? undefined : asked;
  return (
    <Focus legal={legal}>
      {step && (
        <div className={s.progress}>
          <Progress label="Onboarding" done={step} total={steps.length} steps />
        </div>
      )}
      {place !== undefined && step && pages[step]}
    </Focus>
  );
}

const pages: Record<Step, ReactNode> = {
  1: <CreateOrganization />,
  2: <ConnectVersionControl />,
  3: <AddRepositories />,
};
