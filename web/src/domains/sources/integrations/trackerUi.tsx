import type { TrackerName } from '@sightline/contract/sources/trackers.ts';
import type { IntegrationUi } from './integrationUis.ts';
import { TrackerAction } from './TrackerAction.tsx';

/** How an issue tracker is connected in the browser. */
export const trackerUi = (tracker: TrackerName): IntegrationUi => ({
  name: tracker,
  Action: TrackerAction,
  loadSetup: async () => {
    const { TrackerSetup } = await import('./TrackerSetup.tsx');
    return () => <TrackerSetup tracker={tracker} />;
  },
});
