import { useLocalStorage } from '@mantine/hooks';
import { browserOffset, offered } from './zone.ts';

/** The offset that times are told in, in minutes: a reader's own choice, so it is not part of a link. */
export function useZone(): readonly [number, (offset: number) => void] {
  const [chosen, setOffset] = useLocalStorage<number | null>({ key: 'zoneOffset', defaultValue: null });
  const offset = chosen !== null && offered().includes(chosen) ? chosen : browserOffset();
  return [offset, setOffset];
}
