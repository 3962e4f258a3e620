import { type ComponentType, useState } from 'react';
import { useLoaded } from '#ui/useLoaded.ts';
import type { IntegrationUi } from './integrationUis.ts';
import { useSetupOpen } from './setupAddress.ts';

/** A form that is loaded when it is opened for the first time. `load` resolves to its component. */
export const loadedSetup = (load: () => Promise<ComponentType<{ name: string }>>): IntegrationUi['Setup'] =>
  function LoadedSetup({ name }) {
    const [isRequested] = useSetupOpen(name);
    const [isNeeded, setNeeded] = useState(isRequested);
    if (isRequested && !isNeeded) setNeeded(true);
    const Setup = useLoaded(isNeeded ? load : undefined);
    return Setup && <Setup name={name} />;
  };
