/** Loads the panels of Home, at the latest when it is rendered; the router calls it earlier. */
export const loadPanels = () => import('./HomePanels.tsx');
