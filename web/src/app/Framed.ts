import { createContext } from 'react';

/** Whether a page is inside a frame with a logo, so that its replacement omits the logo. */
export const InFrameContext = createContext(false);
