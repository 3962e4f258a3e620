import { useLocalStorage } from '@mantine/hooks';
import { browserOffset, offsets } from './zone.ts';

/** The offset that times are told in: a reader's own choice, so it is not part of a link. */
export function useZone(): readonly [number, (offset: number) => void] {
  const [chosen, setOffset] = useLocalStorage<number | null>({ key: 'timezone', defaultValue: null });
  const offset = chosen !== null && offsets.includes(chosen) ? chosen : browserOffset();
  return [offset, setOffset];
}
