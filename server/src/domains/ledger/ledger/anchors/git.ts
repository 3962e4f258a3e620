import { commitFileToRemote } from '#providers/git-remote.ts';
import type { Kind, SettingsOf } from './kind.ts';

/** Commits the checkpoint as a file of its own: none is ever written over. */
export const git: Kind<SettingsOf<'git'>> = {
  check: async (outbound, { url }) => void (await outbound.check('settings.url', url)),
  async leave({ outbound, config }, { settings, secret, checkpoint }) {
    const { epoch, size, note, origin } = checkpoint;
    const commit = await commitFileToRemote(
      outbound,
      { url: settings.url, branch: settings.branch, user: settings.user, token: secret },
      {
        path: `${settings.folder}/epoch-${epoch}/${size}.checkpoint`,
        content: note,
        message: `Checkpoint of ${size} entries\n\n${origin}\n`,
        author: { name: 'Sightline', email: `ledger@${new URL(config.PUBLIC_URL).hostname}` },
      },
    );
    return { receipt: Buffer.from(`${commit}\n`), message: `Committed as ${commit.slice(0, 12)}.` };
  },
};
