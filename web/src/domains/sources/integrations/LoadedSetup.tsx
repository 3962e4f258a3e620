import { useState } from 'react';
import { useLoaded } from '#ui/useLoaded.ts';
import type { LoadSetup } from './integrationUis.ts';
import { useSetupOpen } from './setupAddress.ts';

/** A form that is loaded when it is opened for the first time. */
export function LoadedSetup({ name, load }: { name: string; load: LoadSetup }) {
  const [isRequested] = useSetupOpen(name);
  const [isNeeded, setNeeded] = useState(isRequested);
  if (isRequested && !isNeeded) setNeeded(true);
  const Setup = useLoaded(isNeeded ? load : undefined);
  return Setup && <Setup name={name} />;
}
