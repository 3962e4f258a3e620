import { browserExtension } from '../extensions.ts';

export const manifest = browserExtension('opera', 'Opera');
