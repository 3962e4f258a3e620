import { lazy, type ReactNode, Suspense, useCallback, useRef, useState } from 'react';
import { type Delicate, DelicateContext, GivenUp } from '#lib/delicate.ts';
import { isStale } from '#lib/reason.ts';

const ProofDialog = lazy(async () => ({ default: (await import('./ProofDialog.tsx')).ProofDialog }));

/** Around a page with delicate changes: asks who it is where the server wants to know, and tries again. */
export function Reauthentication({ children }: { children: ReactNode }) {
  const [asking, setAsking] = useState(false);
  const waiting = useRef<{ proved: () => void; givenUp: () => void }>(undefined);
  const delicate = useCallback<Delicate>(async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!isStale(error)) throw error;
      await new Promise<void>((proved, refuse) => {
        waiting.current = { proved, givenUp: () => refuse(new GivenUp()) };
        setAsking(true);
      });
      return work();
    }
  }, []);
  const close = (how: 'proved' | 'givenUp') => {
    setAsking(false);
    waiting.current?.[how]();
    waiting.current = undefined;
  };
  return (
    <DelicateContext value={delicate}>
      {children}
      <Suspense>{asking && <ProofDialog onProved={() => close('proved')} onClose={() => close('givenUp')} />}</Suspense>
    </DelicateContext>
  );
}
