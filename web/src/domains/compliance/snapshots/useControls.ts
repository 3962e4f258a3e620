import { listControls } from '@sightline/contract/compliance/control-runs.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';

/** Returns the controls, an empty list while loading. */
export const useControls = () => useQuery(endpointQuery(listControls, {})).data ?? [];

/** Returns a lookup of control titles, which returns undefined while loading. */
export function useControlTitles(): (id: ControlId) => string | undefined {
  const controls = useControls();
  return (id) => controls.find((control) => control.id === id)?.title;
}
