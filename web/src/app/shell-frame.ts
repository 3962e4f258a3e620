import { lazyRouteComponent } from '@tanstack/react-router';

/** The shell in a file of its own. A loader fetches it: React would draw nothing and wait before it draws what was late. */
export const ShellFrame = lazyRouteComponent(() => import('./ShellFrame.tsx'), 'ShellFrame');
