import { lazyRouteComponent } from '@tanstack/react-router';

/**
 * The shell as a separate module. A loader fetches it, since a lazy component would suspend and delay its first render.
 */
export const ShellFrame = lazyRouteComponent(() => import('./ShellFrame.tsx'), 'ShellFrame');
