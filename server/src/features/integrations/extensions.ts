import type { Download } from '@sightline/contract/downloads.ts';
import { foldersOf, listFiles } from '../downloads/queries.ts';
import type { Manifest } from './manifest.ts';

type Target = Download['target'];

export const browserExtension = (name: Target, title: string): Manifest => ({
  name,
  title,
  category: 'browser-extensions',
  description: 'Tells which sites helped to make a change. Sends neither pages nor code.',
  look: lookFor(name),
});

export const editorExtension = (name: Target, title: string): Manifest => ({
  name,
  title,
  category: 'ide-extensions',
  description: 'Tells which tools helped to make a change. Sends no code.',
  look: lookFor(name),
});

// No extension reports to the server yet, so none can be active.
const lookFor =
  (target: Target): Manifest['look'] =>
  async ({ services }) => {
    const [newest] = (await listFiles(foldersOf(services.config))).filter((file) => file.target === target);
    return newest === undefined
      ? { status: 'inactive', missing: ['This server has no build of it yet.'] }
      : {
          status: 'inactive',
          missing: ['Nobody has connected it yet.'],
          links: [{ label: 'Get extension', href: '/account#downloads' }],
        };
  };
