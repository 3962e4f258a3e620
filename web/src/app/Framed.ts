import { createContext } from 'react';

/** Whether a page is drawn inside a frame with a logo, so that what stands in for it brings none. */
export const Framed = createContext(false);
