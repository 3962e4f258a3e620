import { createContext, useContext, useEffect, useState } from 'react';

/** Turns the address of a picture into one that this page may show; undefined where it cannot be had. */
export type LoadPicture = (address: string) => Promise<string | undefined>;

/** How pictures are loaded. Without one they are shown from where they are. */
export const PictureLoader = createContext<LoadPicture>(async (address) => address);

/** A picture as an address that the page may show; undefined until it is there. */
export function usePicture(address: string | undefined): string | undefined {
  const load = useContext(PictureLoader);
  const [shown, setShown] = useState<{ address: string; src: string | undefined }>();
  useEffect(() => {
    if (address === undefined || address === '') return undefined;
    let isCurrent = true;
    load(address).then((src) => isCurrent && setShown({ address, src }));
    return () => {
      isCurrent = false;
    };
  }, [address, load]);
  return shown?.address === address ? shown?.src : undefined;
}
